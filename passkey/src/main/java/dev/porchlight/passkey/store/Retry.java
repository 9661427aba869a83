// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Does work again where that is safe: work that the database says it rolled back, because others worked at the same rows;
 * and reads whose connection was lost. A write whose connection was lost may have been committed, and is not repeated. Nor
 * is a wait: neither for a connection, nor for an answer that did not come in time. Thread-safe.
 */
final class Retry {
    static final int ATTEMPTS = 8;

    /** The longest pauses before the attempts double from this on, and so end below 300 ms in all. */
    private static final int FIRST_PAUSE_MILLIS = 2;

    private final DataSource dataSource;

    Retry(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Does the work with a connection, each time with a new one. */
    <T extends @Nullable Object> T run(boolean read, Sql.Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            Connection connection = dataSource.getConnection();
            try {
                return work.with(connection);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !(isRolledBack(e) || read && isLost(e))) {
                    throw e;
                }
            } finally {
                release(connection);
            }
            pause(attempt);
        }
    }

    /** A serialization failure or a deadlock: SQL's own word that nothing of it was done. */
    private static boolean isRolledBack(SQLException e) {
        String state = e.getSQLState();
        return "40001".equals(state) || "40P01".equals(state);
    }

    /** The connection broke, or the server that it led to ended it. */
    private static boolean isLost(SQLException e) {
        String state = e.getSQLState();
        return state != null
                && (state.startsWith("08") || state.startsWith("57P0"))
                && !(e.getCause() instanceof SocketTimeoutException);
    }

    /** What was committed is committed, also if the connection cannot be given back: the pool will find out. */
    private static void release(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // nothing that was asked for has failed
        }
    }

    /** Of any length up to the longest, so that those who collided do not meet again. */
    private static void pause(int attempt) throws SQLException {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(FIRST_PAUSE_MILLIS << attempt - 1) + 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted before another attempt", e);
        }
    }
}
