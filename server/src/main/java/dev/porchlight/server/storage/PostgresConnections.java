// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.util.DriverDataSource;
import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to PostgreSQL, with or without a connection pooler such as PgBouncer. Thread-safe.
 *
 * <p>In transaction pooling mode, each transaction may use another server connection, so neither settings nor prepared
 * statements persist. A pooler is detected because it refuses or ignores the timeouts; later connections then set no timeouts
 * and prepare nothing on the server. If {@code options} in the URL override the timeouts, no pooler is detected.
 */
final class PostgresConnections {
    /** The least time to open and authenticate a connection, which takes several round trips. No request waits for it. */
    private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(5);

    /** The least time that a transaction may idle: an unusual value that no administrator would choose. */
    private static final long IDLE_MILLIS = 10_001;

    /**
     * How long one attempt of the pool lasts while the server is lost. The pool doubles its pause after each failed attempt, up to
     * five seconds, by which it would notice a new primary too late.
     */
    private static final Duration PERSISTENCE = Duration.ofSeconds(5);

    private static final long PAUSE_MILLIS = 250;

    /** Every statement finds its rows by key, whatever its parameters: planning it once saves a fifth of a login's time. */
    private static final String GENERIC_PLANS = " -c plan_cache_mode=force_generic_plan";

    private static final String SETTINGS = "SELECT current_setting('idle_in_transaction_session_timeout'),"
            + " '0' IN (current_setting('statement_timeout'), current_setting('lock_timeout'),"
            + " current_setting('idle_in_transaction_session_timeout'))";

    private static final String UNBOUNDED = "a connection pooler is used, and the server's timeouts are not set. Run:"
            + " ALTER ROLE CURRENT_USER SET statement_timeout = '%dms';"
            + " ALTER ROLE CURRENT_USER SET lock_timeout = '%dms';"
            + " ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '%dms';";

    /**
     * The settings of a new connection.
     *
     * @param idle how long a transaction may idle
     * @param unbounded whether one of the timeouts is not set
     */
    private record Settings(String idle, boolean unbounded) {}

    private final long millis;
    private final long idleMillis;
    private final DataSource direct;
    private final DataSource pooled;
    private final boolean recognizes;
    private volatile boolean pooler;
    private volatile boolean unbounded;
    private final Duration persistence;
    private volatile boolean connected;
    private volatile boolean reconnecting;

    /**
     * Creates connections whose server times out before the client, and releases the locks of an instance that hangs.
     *
     * @param timeout how long the client waits for a response
     */
    PostgresConnections(DatabaseUrl url, Duration timeout) {
        this(url, timeout, PERSISTENCE);
    }

    PostgresConnections(DatabaseUrl url, Duration timeout, Duration persistence) {
        this.persistence = persistence;
        millis = timeout.toMillis();
        idleMillis = Math.max(IDLE_MILLIS, millis / 1_000 * 1_000 + 1_001); // no whole seconds, which are shown as such
        Properties properties = properties(timeout);
        direct = source(
                url,
                properties,
                "options",
                "-c statement_timeout=" + millis * 3 / 4 + " -c lock_timeout=" + millis / 2
                        + " -c idle_in_transaction_session_timeout=" + idleMillis + GENERIC_PLANS);
        pooled = source(url, properties, "prepareThreshold", "0");
        recognizes = !url.jdbc().contains("options=");
    }

    private static Properties properties(Duration timeout) {
        var properties = new Properties();
        properties.setProperty("connectTimeout", seconds(timeout.dividedBy(2)));
        properties.setProperty("loginTimeout", seconds(LOGIN_TIMEOUT.compareTo(timeout) < 0 ? timeout : LOGIN_TIMEOUT));
        properties.setProperty("socketTimeout", seconds(timeout));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "porchlight");
        // Of several hosts the primary, which may change with a failover.
        properties.setProperty("targetServerType", "primary");
        properties.setProperty("hostRecheckSeconds", "1");
        return properties;
    }

    /** Whole seconds, rounded up: zero would mean no timeout. */
    private static String seconds(Duration duration) {
        return Long.toString(duration.plusMillis(999).toSeconds());
    }

    private static DataSource source(DatabaseUrl url, Properties properties, String name, String value) {
        Properties all = new Properties();
        all.putAll(properties);
        all.setProperty(name, value);
        return new DriverDataSource(url.jdbc(), null, all, url.user(), url.password());
    }

    boolean isThroughPooler() {
        return pooler;
    }

    Optional<String> advice() {
        // the idle timeout of a direct connection would hide the pooler
        return pooler && unbounded
                ? Optional.of(UNBOUNDED.formatted(millis * 3 / 4, millis / 2, idleMillis - 1))
                : Optional.empty();
    }

    /** Returns a data source that opens these connections. */
    DataSource dataSource() {
        return StatementCache.as(
                DataSource.class,
                (self, method, arguments) -> method.getName().equals("getConnection")
                        ? reconnect()
                        : StatementCache.call(direct, method, arguments));
    }

    /** Connects. After a connection was lost, fails once, so that the pool has the reason, and then tries until it succeeds. */
    private Connection reconnect() throws SQLException {
        long begin = System.nanoTime();
        while (true) {
            try {
                Connection connection = connect();
                connected = true;
                reconnecting = false;
                return connection;
            } catch (SQLException e) {
                boolean first = !reconnecting;
                reconnecting = connected;
                if (first
                        || !isUnreachable(e)
                        || System.nanoTime() - begin >= persistence.toNanos()
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LockSupport.parkNanos(Duration.ofMillis(PAUSE_MILLIS).toNanos());
            }
        }
    }

    /** A failed connection, or a server that starts or stops. */
    private static boolean isUnreachable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.startsWith("08") || state.startsWith("57P");
    }

    private Connection connect() throws SQLException {
        Connection connection = pooler ? null : directly();
        if (connection == null) {
            connection = pooled.getConnection();
            unbounded = settings(connection).unbounded();
        }
        return connection;
    }

    /** Opens a direct connection, or returns null if there is a pooler. */
    private @Nullable Connection directly() throws SQLException {
        Connection connection;
        try {
            connection = direct.getConnection();
        } catch (SQLException e) {
            pooler = recognizes && isRefused(e);
            if (pooler) {
                return null;
            }
            throw e;
        }
        if (recognizes && !settings(connection).idle().equals(idleMillis + "ms")) {
            pooler = true;
            connection.close();
            return null;
        }
        return connection;
    }

    private static Settings settings(Connection connection) throws SQLException {
        try {
            return Objects.requireNonNull(Sql.first(
                    Sql.query(connection, SETTINGS, row -> new Settings(row.getString(1), row.getBoolean(2)))));
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** PgBouncer's messages before and since version 1.20. */
    private static boolean isRefused(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("unsupported startup parameter: options")
                || message.contains("unsupported startup parameter in options");
    }
}
