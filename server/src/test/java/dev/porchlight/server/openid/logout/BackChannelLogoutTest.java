// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.openid.client.ClientSettings;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.CodeRequest;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.token.Jwts;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.support.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logout notices to clients that misbehave. */
class BackChannelLogoutTest {
    private static final Duration TIMEOUT = Duration.ofMillis(200);

    private final SecureRandom random = new SecureRandom();
    private final Database database = TestDatabase.SQLITE.open(2);
    private final Sql sql = new Sql(database.dataSource());
    private final KeyRing keys =
            new KeyRing(sql, new Sealer(List.of(new byte[32]), random), Clock.systemUTC(), Duration.ofMinutes(1));
    private final BackChannelLogout notices = new BackChannelLogout(
            new Clients(sql, Clock.systemUTC(), random),
            new OpenIdTokens(new Jwts(keys, null), "https://login.example", Duration.ofMinutes(1), Clock.systemUTC()),
            new MetricRegistry(),
            new Logger("test", Level.INFO, new LogFormat.Json(), LogWriter.to(new ByteArrayOutputStream())),
            TIMEOUT);

    @AfterEach
    void close() {
        notices.close();
        database.close();
    }

    @Test
    void a_notice_that_cannot_be_sent_stops_no_other_and_a_dripping_client_is_disconnected() throws Exception {
        try (ServerSocket dripping = listening()) {
            add("damaged", "http://not a uri/");
            add("other-scheme", "ftp://127.0.0.1/");
            add("dripping", uri(dripping));
            CompletableFuture<Boolean> disconnected = CompletableFuture.supplyAsync(() -> drip(dripping));

            notices.afterwards(() -> List.of(ended("damaged"), ended("other-scheme"), ended("dripping")));

            assertThat(disconnected.get(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_retry_goes_to_the_address_that_the_client_has_then() throws Exception {
        try (ServerSocket former = listening();
                ServerSocket current = listening()) {
            add("moved", uri(former));

            notices.afterwards(() -> List.of(ended("moved")));

            try (Socket first = former.accept()) {
                sql.update("DELETE FROM porchlight_client");
                add("moved", uri(current));
                first.getOutputStream()
                        .write("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
                current.setSoTimeout(Patience.MILLIS);
                current.accept().close();
            }
        }
    }

    @Test
    void a_notice_is_retried_after_the_database_was_unavailable() throws Exception {
        try (ServerSocket server = listening()) {
            add("app", uri(server));
            CountDownLatch attempted = new CountDownLatch(1);
            sql.update("ALTER TABLE porchlight_client RENAME TO unavailable");

            notices.afterwards(() -> List.of(ended("app")));
            notices.afterwards(() -> {
                attempted.countDown();
                return List.of();
            });
            assertThat(attempted.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            sql.update("ALTER TABLE unavailable RENAME TO porchlight_client");

            server.setSoTimeout(Patience.MILLIS);
            server.accept().close();
        }
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static String uri(ServerSocket server) {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    /** Sends a response that does not end. Returns whether the other side closed the connection. */
    private static boolean drip(ServerSocket server) {
        try (Socket connection = server.accept()) {
            connection.setSoTimeout(Patience.MILLIS);
            OutputStream out = connection.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n.".getBytes(US_ASCII));
            out.flush();
            connection.getInputStream().transferTo(OutputStream.nullOutputStream());
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // closed before all bytes were read
        }
    }

    private void add(String id, String uri) {
        var defaults = ClientSettings.of(List.of("https://app.example/"));
        var settings = new ClientSettings(
                defaults.redirectUris(),
                List.of(),
                uri,
                "ES256",
                List.of(),
                List.of(),
                Duration.ofHours(1),
                false,
                null,
                defaults.rules());
        sql.update(
                "INSERT INTO porchlight_client (client_id, name, secret_hash, settings, generation, created_at) VALUES (?, ?, ?,"
                        + " ?, 0, ?)",
                id,
                id,
                null,
                JsonWriter.object(settings::write),
                0L);
    }

    private static Authorization ended(String clientId) {
        return new Authorization(
                "id",
                clientId,
                0,
                "session",
                "the handle of ada",
                new Grant("ada", "credential", 0L, 0L, Instant.EPOCH),
                List.of("hwk"),
                new CodeRequest("https://app.example/", "c", List.of("openid"), null, null),
                0);
    }
}
