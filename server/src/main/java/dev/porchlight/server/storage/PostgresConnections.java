// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import com.zaxxer.hikari.util.DriverDataSource;
import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to PostgreSQL, also through a connection pooler such as PgBouncer. Thread-safe.
 *
 * <p>In transaction pooling mode, each transaction may run on another connection of the server. So nothing can be left on
 * it: neither settings nor prepared statements. A pooler is recognized by the timeouts, which it refuses or ignores; from
 * then on connections have none and prepare nothing on the server. Where {@code options} in the URL take the place of the
 * timeouts, nothing is recognized.
 */
final class PostgresConnections {
    /** An odd number, which nobody sets on the server. */
    private static final String IDLE = "10001";

    /** The server gives up before we do, and releases what an instance that hangs has locked. */
    private static final String TIMEOUTS =
            "-c statement_timeout=1500 -c lock_timeout=1000 -c idle_in_transaction_session_timeout=" + IDLE;

    private static final String SETTINGS = "SELECT current_setting('idle_in_transaction_session_timeout'),"
            + " '0' IN (current_setting('statement_timeout'), current_setting('lock_timeout'),"
            + " current_setting('idle_in_transaction_session_timeout'))";

    private static final String UNBOUNDED =
            "there is a connection pooler before PostgreSQL, and the server's timeouts are not set. Run:"
                    + " ALTER ROLE CURRENT_USER SET statement_timeout = '1500ms';"
                    + " ALTER ROLE CURRENT_USER SET lock_timeout = '1s';"
                    + " ALTER ROLE CURRENT_USER SET idle_in_transaction_session_timeout = '10s';";

    /**
     * The settings of a new connection.
     *
     * @param idle how long a transaction may idle
     * @param unbounded whether one of the timeouts is not set
     */
    private record Settings(String idle, boolean unbounded) {}

    private final DataSource direct;
    private final DataSource pooled;
    private final boolean recognizes;
    private volatile boolean pooler;
    private volatile boolean unbounded;

    PostgresConnections(DatabaseUrl url, Properties properties) {
        direct = source(url, properties, "options", TIMEOUTS);
        pooled = source(url, properties, "prepareThreshold", "0");
        recognizes = !url.jdbc().contains("options=");
    }

    private static DataSource source(DatabaseUrl url, Properties properties, String name, String value) {
        Properties all = new Properties();
        all.putAll(properties);
        all.setProperty(name, value);
        return new DriverDataSource(url.jdbc(), null, all, url.user(), url.password());
    }

    /** Whether a pooler was recognized. */
    boolean isThroughPooler() {
        return pooler;
    }

    /** What the operator should change, if anything. */
    Optional<String> advice() {
        return pooler && unbounded ? Optional.of(UNBOUNDED) : Optional.empty();
    }

    /** These connections for a pool, and everything else as the driver has it. */
    DataSource dataSource() {
        return KeptStatements.as(
                DataSource.class,
                (self, method, arguments) -> method.getName().equals("getConnection")
                        ? connect()
                        : KeptStatements.call(direct, method, arguments));
    }

    private Connection connect() throws SQLException {
        Connection connection = pooler ? null : directly();
        if (connection == null) {
            connection = pooled.getConnection();
            unbounded = settings(connection).unbounded();
        }
        return connection;
    }

    /** A connection to the server itself, or null if there is a pooler before it. */
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
        if (recognizes && !settings(connection).idle().equals(IDLE + "ms")) {
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

    /** PgBouncer's message before version 1.20, and since. */
    private static boolean isRefused(SQLException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("unsupported startup parameter: options")
                || message.contains("unsupported startup parameter in options");
    }
}
