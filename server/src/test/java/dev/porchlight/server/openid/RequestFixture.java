// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.token.Jwts;
import dev.porchlight.server.token.KeyRing;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** A registered client and what reads its requests, on a database of this JVM. */
public final class RequestFixture {
    public static final String ISSUER = "https://login.example";
    public static final String REGISTERED = "https://app.example/callback";
    public static final RequestFixture SHARED = new RequestFixture();

    public final Clock clock = Clock.systemUTC();
    public final Sql sql = new Sql(TestDatabase.SQLITE.open(2).dataSource());
    public final Sealer sealer;
    public final Clients clients;
    public final OpenIdTokens tokens;
    public final Authorizations authorizations;

    private RequestFixture() {
        SecureRandom random = new SecureRandom();
        byte[] key = new byte[32];
        random.nextBytes(key);
        sealer = new Sealer(List.of(key), random);
        var settings = new ClientSettings(
                List.of(REGISTERED),
                List.of("https://app.example/bye"),
                null,
                "ES256",
                List.of(),
                List.of(),
                Duration.ofHours(1),
                false,
                null,
                ClientSettings.of(List.of()).rules());
        sql.update(
                "INSERT INTO porchlight_client (client_id, name, secret_hash, settings, generation, created_at) VALUES (?, ?,"
                        + " ?, ?, 0, ?)",
                "app",
                "App",
                Bytes.ofUtf8("another secret").sha256().base64Url(),
                JsonWriter.object(settings::write),
                0L);
        clients = new Clients(sql, clock, random);
        var keys = new Jwts(new KeyRing(sql, sealer, clock, Duration.ofMinutes(1)), null);
        tokens = new OpenIdTokens(keys, ISSUER, Duration.ofMinutes(1), clock);
        authorizations = new Authorizations(sql, sealer, List.of(key), new Grants(sql, id -> null), clock, random);
    }
}
