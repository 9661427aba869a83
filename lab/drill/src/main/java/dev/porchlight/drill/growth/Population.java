// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.growth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.cose.EcKey;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.rig.load.FastAuthenticator;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.auth.Browser;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.SealedEntries;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.TakenNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;

/** A database with many users, three passkeys each, and logins on it as the service performs them. Not thread-safe. */
final class Population implements AutoCloseable {
    static final int PASSKEYS_EACH = 3;
    static final String CROWDED = "a user with many passkeys";
    static final int CROWD = 500;

    private static final String RP_ID = "localhost";
    private static final String ORIGIN = "http://localhost";
    private static final String SECRET = "a secret for a population of users";
    private static final int BATCH = 10_000;

    private final int users;
    private final FastAuthenticator authenticator;
    /** All passkeys share one key: creating millions would take hours, and a login finds its row by credential id. */
    private final String jwk;

    private final Database database;
    private final PasskeyService service;
    private final Ceremonies ceremonies;
    private final Random random = new Random(42);

    Population(DatabaseUrl url, int users) throws SQLException, GeneralSecurityException {
        this.users = users;
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        this.authenticator = new FastAuthenticator(RP_ID, (ECPrivateKey) keys.getPrivate());
        this.jwk = EcKey.of(keys.getPublic()).orElseThrow().toJwk();
        url.connect().close(); // loads the driver, which can exceed the pool's timeout on a busy machine
        this.database = Database.open(url, 2);
        ServerTables.migrate(database.dataSource());
        fill(url);
        Sql sql = database.sql();
        Clock clock = Clock.systemUTC();
        SealedEntries entries =
                new SealedEntries(new DerivedKeys(SECRET), new SqlSealedEntries(sql, clock), clock, new SecureRandom());
        var parts = PasskeyService.builder(new PasskeyConfig("Growth", RP_ID, ORIGIN), database.dataSource())
                .sealedChallenges(SECRET.getBytes(StandardCharsets.UTF_8))
                .credentialStore(new SqlCredentialStore(sql));
        SignatureProvider.choose().provider().ifPresent(parts::provider);
        this.service = parts.build();
        this.ceremonies = new Ceremonies(
                database.units(new AuditTrail(new byte[32], clock), statement -> () -> {}),
                new Sessions(entries, Duration.ofHours(1)),
                new TakenNames(new ErasedUsers(new byte[32]), new AuditSubjects(new byte[32])),
                Authenticators.UNKNOWN,
                Notices.NONE,
                true);
    }

    /** Logs a user in and returns the service's share of the time in nanoseconds, without the browser's. */
    long login() throws IOException {
        int user = random.nextInt(users);
        return login("user-" + user, id(user, random.nextInt(PASSKEYS_EACH)));
    }

    long login(String userId, String credentialId) throws IOException {
        long begin = System.nanoTime();
        RequestOptions options = service.startAuthentication(userId);
        long optionsNanos = System.nanoTime() - begin;
        String response = authenticator.respond(options.challenge(), ORIGIN, credentialId, null, 0);
        long responded = System.nanoTime();
        AuthenticationResult result =
                service.finishAuthentication(userId, response, ceremonies.request("growth", Browser.UNKNOWN));
        long took = optionsNanos + System.nanoTime() - responded;
        if (!result.verified()) {
            throw new IOException("a login of " + userId + " was refused: " + result);
        }
        return took;
    }

    /** The number of passkeys offered to the user with very many. */
    int offeredToCrowded() {
        return service.startAuthentication(CROWDED).allowCredentials().size();
    }

    static String crowdedId(int i) {
        return id(-1, i);
    }

    /** A random-looking id, spread over the index as real ids are. */
    private static String id(int user, int passkey) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest((user + "-" + passkey).getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fill(DatabaseUrl url) throws SQLException {
        try (Connection connection = url.connect()) {
            if (url.engine() == DatabaseUrl.Engine.POSTGRESQL) {
                fillPostgres(connection);
            } else {
                fillSqlite(connection);
            }
            fillCrowd(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("ANALYZE");
            }
        }
    }

    private void fillPostgres(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("INSERT INTO passkey_user (user_id, user_handle)"
                    + " SELECT 'user-' || i, md5('handle-' || i) FROM generate_series(0, " + (users - 1) + ") AS i");
            statement.executeUpdate("INSERT INTO passkey_credential"
                    + " (credential_id, user_id, public_key, origin, created_at)"
                    + " SELECT md5(i || '-' || k), 'user-' || i, '" + jwk + "', '" + ORIGIN + "', i"
                    + " FROM generate_series(0, " + (users - 1) + ") AS i, generate_series(0, " + (PASSKEYS_EACH - 1)
                    + ") AS k");
        }
    }

    private void fillSqlite(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA synchronous = OFF");
            statement.execute("PRAGMA cache_size = -500000");
        }
        connection.setAutoCommit(false);
        try (PreparedStatement user =
                        connection.prepareStatement("INSERT INTO passkey_user (user_id, user_handle) VALUES (?, ?)");
                PreparedStatement passkey = passkeys(connection)) {
            for (int i = 0; i < users; i++) {
                user.setString(1, "user-" + i);
                user.setString(2, id(i, -1));
                user.addBatch();
                for (int k = 0; k < PASSKEYS_EACH; k++) {
                    add(passkey, id(i, k), "user-" + i, i);
                }
                if (i % BATCH == BATCH - 1 || i == users - 1) {
                    user.executeBatch();
                    passkey.executeBatch();
                }
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void fillCrowd(Connection connection) throws SQLException {
        try (PreparedStatement passkey = passkeys(connection)) {
            for (int i = 0; i < CROWD; i++) {
                add(passkey, crowdedId(i), CROWDED, i);
            }
            passkey.executeBatch();
        }
    }

    private static PreparedStatement passkeys(Connection connection) throws SQLException {
        return connection.prepareStatement("INSERT INTO passkey_credential"
                + " (credential_id, user_id, public_key, origin, created_at) VALUES (?, ?, ?, '" + ORIGIN + "', ?)");
    }

    private void add(PreparedStatement passkey, String id, String userId, long createdAt) throws SQLException {
        passkey.setString(1, id);
        passkey.setString(2, userId);
        passkey.setString(3, jwk);
        passkey.setLong(4, createdAt);
        passkey.addBatch();
    }

    @Override
    public void close() {
        database.close();
    }
}
