// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.Format;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.Database;
import dev.porchlight.support.Patience;
import dev.porchlight.support.ServiceLogs;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The whole service, in this process, on a free port, with a clock that the test moves; its rate limits refill only then. Its pages have a separate origin,
 * since the port is not known before it listens.
 */
final class Service implements AutoCloseable {
    /** A condition on audit rows. */
    static final String OF_USER = "subject = (SELECT subject FROM porchlight_audit_subject WHERE user_id = ?)";

    static final String SECRET = "a session secret for tests, long enough";
    static final String ADMIN_TOKEN = "an admin token for tests";

    /** A secret that is accepted outside localhost mode too. */
    static final String RANDOM_SECRET = UUID.randomUUID().toString();

    /** The settings of a service that waits for its database only as long as by default. */
    static final String[] IMPATIENT = {"REQUEST_TIMEOUT_MS", Long.toString(RequestDeadline.DEFAULT.toMillis())};

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String origin;
    private final String databaseUrl;
    private final MovableClock clock;
    private final ByteArrayOutputStream logs = new ByteArrayOutputStream();
    private final App app;

    private Service(Map<String, String> variables, MovableClock clock, Duration databaseStart) {
        this.clock = clock;
        origin = variables.get("RP_ORIGIN");
        databaseUrl = variables.get("DATABASE_URL");
        try {
            app = App.start(
                    Config.read(variables),
                    LogWriter.to(logs),
                    false,
                    new Timing(
                            clock,
                            clock::nanoTime,
                            databaseStart,
                            Duration.ofSeconds(2),
                            Duration.ZERO,
                            Duration.ofMillis(100)),
                    routes -> {});
        } catch (InvalidConfigException e) {
            throw new IllegalArgumentException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServiceLogs.add(this, this::logs);
    }

    /** A service on an empty database, without a rate limit. Settings are pairs of name and value. */
    static Service on(TestDatabase database, String... variables) {
        return at(database.freshUrl(), variables);
    }

    /** A service on a database that may have been used before. */
    static Service at(String databaseUrl, String... variables) {
        return at(new MovableClock(), Patience.LIMIT, databaseUrl, variables);
    }

    /** A service on a database that was used at another time. */
    static Service at(MovableClock clock, String databaseUrl, String... variables) {
        return at(clock, Patience.LIMIT, databaseUrl, variables);
    }

    /** A service on a database for which it does not wait at startup, and later only as long as by default. */
    static Service impatient(String databaseUrl) {
        return at(new MovableClock(), Duration.ZERO, databaseUrl, IMPATIENT);
    }

    private static Service at(MovableClock clock, Duration databaseStart, String databaseUrl, String... variables) {
        Map<String, String> all = new HashMap<>(Map.of(
                "PORT",
                "0",
                "RP_ORIGIN",
                "http://localhost",
                "DATABASE_URL",
                databaseUrl,
                "DATA_DIR",
                dataDir(),
                "SESSION_SECRET",
                SECRET,
                "ADMIN_TOKEN",
                ADMIN_TOKEN,
                "RATE_LIMIT_PER_MINUTE",
                "0",
                "DATABASE_CONNECTIONS",
                "4", // PostgreSQL starts a process for each
                "REQUEST_TIMEOUT_MS",
                Patience.REQUEST_TIMEOUT_MS,
                "SHUTDOWN_TIMEOUT_MS",
                "0")); // do not wait for idle connections
        for (int i = 0; i < variables.length; i += 2) {
            all.put(variables[i], variables[i + 1]);
        }
        return new Service(all, clock, databaseStart);
    }

    Web web() {
        return new Web(app.port());
    }

    /** The management port, or the only one. */
    Web management() {
        return new Web(app.managementPort());
    }

    Web admin() {
        return web().bearer(ADMIN_TOKEN);
    }

    MovableClock clock() {
        return clock;
    }

    String databaseUrl() {
        return databaseUrl;
    }

    /** A new user with a security key. */
    Person newUser() {
        return newUser(SoftAuthenticator.securityKey());
    }

    Person newUser(SoftAuthenticator authenticator) {
        return person("user " + NAMES.incrementAndGet(), authenticator);
    }

    Person person(String userId, SoftAuthenticator authenticator) {
        return new Person(web(), origin, userId, authenticator);
    }

    Observability observability() {
        return app.observability();
    }

    /** Everything logged so far. */
    String logs() {
        return logs.toString(StandardCharsets.UTF_8);
    }

    String metrics() {
        return web().get("/metrics").expect(200).body();
    }

    /** The metrics, without a request for them. */
    String exported() {
        ByteArrayOutputStream metrics = new ByteArrayOutputStream();
        try {
            app.observability().metrics().scrape(Format.TEXT, metrics);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return metrics.toString(StandardCharsets.UTF_8);
    }

    /** The name of the user for clients. */
    String subject(Person person) {
        String find = "SELECT user_handle FROM passkey_user WHERE user_id = ?";
        return withSql(sql -> sql.query(find, row -> row.getString(1), person.userId()))
                .get(0);
    }

    /** Runs statements directly on the service's database. */
    <T> T withSql(Function<Sql, T> work) {
        try (Database database = TestDatabase.open(databaseUrl, 2)) {
            return work.apply(database.sql());
        }
    }

    /** The claim by which a token ends with the passkey and the access of its user, for one that was never signed out. */
    String grantClaim(Person person) {
        String find = "SELECT created_at FROM passkey_credential WHERE credential_id = ?";
        return withSql(sql -> sql.query(find, row -> row.getLong(1), person.credentialId()))
                        .get(0) + ".0";
    }

    /** Runs a test in which neither the sweep nor a request ends a sign-in of OpenID Connect in the database. For SQLite. */
    void keepingSignIns(Runnable test) {
        withSql(
                sql -> sql.update(
                        "CREATE TRIGGER kept BEFORE DELETE ON porchlight_openid_authorization BEGIN SELECT RAISE(IGNORE); END"));
        try {
            test.run();
        } finally {
            withSql(sql -> sql.update("DROP TRIGGER kept"));
        }
    }

    /** The rows of a table, as text. */
    List<String> rows(String table) {
        return withSql(sql -> rows(sql, table));
    }

    /** The rows of these tables, sorted, without the summaries that the audit log writes on its own schedule. */
    static List<String> rows(Sql sql, List<String> tables) {
        return tables.stream()
                .flatMap(table -> rows(sql, table).stream())
                .filter(row -> !row.contains("_summary "))
                .sorted()
                .toList();
    }

    static List<String> rows(Sql sql, String table) {
        return sql.query("SELECT * FROM " + table, row -> {
            StringBuilder text = new StringBuilder();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                text.append(row.getString(i)).append(' ');
            }
            return text.toString();
        });
    }

    @Override
    public void close() {
        ServiceLogs.close(this);
        app.close();
    }

    @Override
    public String toString() {
        return "service on " + databaseUrl;
    }

    private static String dataDir() {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "data")), "service")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
