// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Retries work after failures that make a retry safe, a few times, each time on a new connection. A timeout while
 * waiting for a connection is not retried. Thread-safe.
 */
public final class Retry {
    static final int ATTEMPTS = 8;

    /** The upper bound of the first pause. It doubles with each attempt; all pauses together stay below 300 ms. */
    private static final int FIRST_PAUSE_MILLIS = 2;

    private static final int SQLITE_SCHEMA = 17;

    /** "Record has changed since last read", the serialization failure of MariaDB's snapshot isolation. */
    private static final int MARIADB_RECORD_CHANGED = 1020;

    private final DataSource dataSource;

    Retry(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    <T extends @Nullable Object> T run(Predicate<SQLException> safe, Sql.Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            Connection connection = dataSource.getConnection();
            try {
                return work.with(connection);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !safe.test(e)) {
                    throw e;
                }
            } finally {
                release(connection);
            }
            pause(attempt);
        }
    }

    /**
     * Returns whether the database reports that it rolled the work back: a serialization failure or a deadlock, or on
     * SQLite, which has no SQL states, a schema change while the statement was prepared.
     */
    static boolean isRolledBack(SQLException e) {
        String state = e.getSQLState();
        if (state == null) {
            return e.getErrorCode() == SQLITE_SCHEMA;
        }
        return state.equals("40001") || state.equals("40P01") || e.getErrorCode() == MARIADB_RECORD_CHANGED;
    }

    /**
     * Returns whether the work was rolled back or its connection was lost. Only reads may be retried then: a write may
     * have been committed. A timeout is not retried.
     */
    public static boolean isRolledBackOrLost(SQLException e) {
        String state = e.getSQLState();
        boolean lost = state != null && (state.startsWith("08") || state.startsWith("57P0"));
        return isRolledBack(e) || lost && !(e.getCause() instanceof SocketTimeoutException);
    }

    /** A failure is ignored: the work is committed, and the pool discards the broken connection. */
    private static void release(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // ignored, see above
        }
    }

    /** Pauses for a random time, so that transactions that conflicted do not conflict again. */
    private static void pause(int attempt) throws SQLException {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(FIRST_PAUSE_MILLIS << attempt - 1) + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted before a retry", e);
        }
    }
}
