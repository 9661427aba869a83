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
 * Does work again that failed in a way after which that is safe, a few times and each time with a new connection. To wait
 * for a connection in vain is no such way: who waited long enough is told. Thread-safe.
 */
final class Retry {
    static final int ATTEMPTS = 8;

    /** The longest pauses before the attempts double from this on, and so end below 300 ms in all. */
    private static final int FIRST_PAUSE_MILLIS = 2;

    private static final int SQLITE_SCHEMA = 17;

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
     * A serialization failure or a deadlock, or on SQLite, which has no states, a table made by another while the statement
     * was prepared: the database's own word that nothing of it was done.
     */
    static boolean isRolledBack(SQLException e) {
        String state = e.getSQLState();
        return state == null ? e.getErrorCode() == SQLITE_SCHEMA : state.equals("40001") || state.equals("40P01");
    }

    /**
     * The same; or the connection broke, or the server ended it. That is safe for what only reads: a write may have been
     * committed all the same. An answer that did not come in time is not waited for again.
     */
    static boolean isRolledBackOrLost(SQLException e) {
        String state = e.getSQLState();
        boolean lost = state != null && (state.startsWith("08") || state.startsWith("57P0"));
        return isRolledBack(e) || lost && !(e.getCause() instanceof SocketTimeoutException);
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
