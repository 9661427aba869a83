// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlPasskeyShapes;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.auth.Browser;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.auth.SealedEntries;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.TestUnits;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The query plans of a login on a large database: every statement uses an index. */
class LoginPlansTest {
    private static final String ORIGIN = "http://localhost";
    private static final Pattern PARAMETER = Pattern.compile("\\?(::\\w+\\[])?");
    private static final String NUMBERS =
            " FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT i FROM n) AS s";
    private static final List<String> POPULATION = List.of(
            "INSERT INTO passkey_user (user_id, user_handle) SELECT 'user ' || i, 'handle ' || i"
                    + NUMBERS.formatted(4_000),
            "INSERT INTO passkey_credential (credential_id, user_id, public_key, origin) SELECT 'passkey ' || i,"
                    + " 'user ' || (i / 3), 'a key of some length, as keys have', 'https://example.com'"
                    + NUMBERS.formatted(12_000),
            "INSERT INTO porchlight_sealed_entry (kind, entry_key, owner, sealed, created_at, expires_at)"
                    + " SELECT 'session', 'key ' || i, 'owner ' || (i / 3), 'sealed', i, 4000000000000 + i"
                    + NUMBERS.formatted(12_000),
            "INSERT INTO porchlight_audit (chain, seq, at, action, subject, outcome, reason, correlation_id, hash)"
                    + " SELECT 'chain ' || (i % 7), i, i, 'login', 'user', 'ok', '', 'id ' || i, 'hash'"
                    + NUMBERS.formatted(12_000),
            "INSERT INTO passkey_used_challenge (expires_at, challenge_id) SELECT 4000000000000 + i, 'challenge ' || i"
                    + NUMBERS.formatted(12_000),
            "INSERT INTO passkey_seal (credential_id, seal) SELECT 'passkey ' || i, 'seal'" + NUMBERS.formatted(12_000),
            "INSERT INTO porchlight_user_access (user_id, generation) SELECT 'user ' || i, i"
                    + NUMBERS.formatted(4_000),
            "INSERT INTO porchlight_audit_head (chain, seq, hash, seal) SELECT 'chain ' || i, i, 'hash', 'seal'"
                    + NUMBERS.formatted(4_000),
            "INSERT INTO porchlight_reported_event (event_hash, reported_at, events)"
                    + " SELECT 'event ' || i, 4000000000000 + i, 1"
                    + NUMBERS.formatted(12_000),
            "ANALYZE");

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void every_login_statement_uses_an_index(TestDatabase database) throws Exception {
        String url = database.freshUrl();
        try (Database pool = TestDatabase.open(url, 2)) {
            pool.migrate(Patience.LIMIT);
            populate(url);
            Set<String> statements = statementsOfLogins(pool.dataSource(), database);

            assertThat(statements)
                    .anyMatch(sql -> sql.contains("FROM passkey_credential WHERE credential_id"))
                    .anyMatch(sql -> sql.contains("UPDATE passkey_credential"))
                    .anyMatch(sql -> sql.contains("INSERT INTO passkey_used_challenge"))
                    .anyMatch(sql -> sql.startsWith("DELETE FROM porchlight_sealed_entry"))
                    .anyMatch(sql -> sql.contains("ORDER BY created_at, entry_key DESC LIMIT"))
                    .anyMatch(sql -> sql.startsWith("INSERT INTO porchlight_audit"));
            try (Connection connection = pool.dataSource().getConnection()) {
                for (String sql : statements) {
                    List<String> plan = plan(connection, database, sql);
                    assertThat(plan).as(sql + "\n" + String.join("\n", plan)).noneMatch(LoginPlansTest::readsAll);
                }
            }
        }
    }

    /** Without the time limits of the service. */
    private static void populate(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : POPULATION) {
                statement.executeUpdate(sql);
            }
            connection.commit();
        }
    }

    /** Full scans: SQLite calls them SCAN, PostgreSQL Seq Scan. */
    private static boolean readsAll(String step) {
        return step.matches("SCAN (passkey_|porchlight_).*|.*Seq Scan on (passkey_|porchlight_).*");
    }

    /** Logins with and without a name, with a session and its end, an audit row, and the cleanup. */
    private static Set<String> statementsOfLogins(DataSource dataSource, TestDatabase database) throws Exception {
        Set<String> statements = Collections.synchronizedSet(new LinkedHashSet<>());
        DataSource watched = watched(dataSource, text -> statements.addAll(List.of(text.split("; ", -1))));
        Sql sql = new Sql(watched);
        Clock clock = Clock.systemUTC();
        SealedEntries entries = new SealedEntries(
                new DerivedKeys(Service.SECRET), new SqlSealedEntries(sql, clock), clock, new SecureRandom());
        Sessions sessions = new Sessions(entries, Duration.ofHours(1));
        PasskeyService passkeys = PasskeyService.builder(new PasskeyConfig("Plans", "localhost", ORIGIN), watched)
                .sealedChallenges(new byte[32])
                .credentialStore(new SqlCredentialStore(sql))
                // decoys are maintained in the background
                .passkeyShapes(new SqlPasskeyShapes(new Sql(dataSource)))
                .build();
        SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.securityKey());
        try (TestUnits testUnits = new TestUnits(watched, database, new AuditTrail(new byte[32], clock))) {
            Ceremonies ceremonies = new Ceremonies(
                    testUnits.units(),
                    sessions,
                    new TakenNames(new ErasedUsers(new byte[32]), new AuditSubjects(new byte[32])),
                    Authenticators.UNKNOWN,
                    Notices.NONE,
                    true);
            passkeys.finishRegistration(
                    "alice",
                    browser.create(passkeys.startRegistration("alice").toJson()),
                    false,
                    ceremonies.request("the first row of a chain asks for more", Browser.UNKNOWN));
            statements.clear();
            String session = null;
            for (int i = 0; i < 200; i++) { // one in sixteen looks for excess sessions
                boolean named = i % 2 == 0;
                String options =
                        (named ? passkeys.startAuthentication("alice") : passkeys.startAuthentication()).toJson();
                var request = ceremonies.request("a correlation id", new Browser("a browser", session, null));
                assertThat(passkeys.finishAuthentication(named ? "alice" : null, browser.get(options), request)
                                .verified())
                        .isTrue();
                session = request.opened().id();
            }
            assertThat(sessions.find(session)).isNotNull();
            assertThat(sessions.end(session)).isTrue();
            entries.sweep();
            testUnits.maintenance(sql, clock).run();
        }
        statements.removeIf(text -> !text.matches("(?s)(SELECT|INSERT|UPDATE|DELETE|WITH) .*"));
        return statements;
    }

    private static List<String> plan(Connection connection, TestDatabase database, String sql) throws SQLException {
        boolean postgres = database != TestDatabase.SQLITE;
        int column = postgres ? 1 : 4;
        try (PreparedStatement explain =
                connection.prepareStatement((postgres ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + sql)) {
            Matcher parameters = PARAMETER.matcher(sql);
            for (int i = 1; parameters.find(); i++) {
                if (postgres) { // with the inferred type
                    explain.setObject(i, parameters.group(1) == null ? "1" : "{1}", Types.OTHER);
                } else {
                    explain.setString(i, "1");
                }
            }
            List<String> steps = new ArrayList<>();
            try (ResultSet rows = explain.executeQuery()) {
                while (rows.next()) {
                    steps.add(rows.getString(column));
                }
            }
            return steps;
        }
    }

    private static DataSource watched(DataSource dataSource, Consumer<String> statements) {
        return (DataSource) Proxy.newProxyInstance(
                LoginPlansTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    Object result = call(method, dataSource, arguments);
                    return result instanceof Connection connection ? watched(connection, statements) : result;
                });
    }

    private static Connection watched(Connection connection, Consumer<String> statements) {
        return (Connection) Proxy.newProxyInstance(
                LoginPlansTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.accept((String) arguments[0]);
                    }
                    return call(method, connection, arguments);
                });
    }

    private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
