// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives every work a connection of its own, in whichever auto-commit mode the pool hands it out, and gives it back as it
 * was. Thread-safe.
 */
final class PooledConnections implements Sql.Connections {
    private final Retry pool;

    PooledConnections(DataSource dataSource) {
        this.pool = new Retry(dataSource);
    }

    @Override
    public <T extends @Nullable Object> T read(Sql.Work<T> work) throws SQLException {
        return pool.run(Retry::isRolledBackOrLost, connection -> finished(connection, work));
    }

    @Override
    public <T extends @Nullable Object> T write(Sql.Work<T> statement) throws SQLException {
        return pool.run(Retry::isRolledBack, connection -> finished(connection, statement));
    }

    @Override
    public <T extends @Nullable Object> T transaction(Sql.Work<T> work) throws SQLException {
        return pool.run(Retry::isRolledBack, connection -> {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            T result;
            try {
                result = work.with(connection);
                connection.commit();
            } catch (SQLException | RuntimeException | Error e) {
                undo(connection, autoCommit, e);
                throw e;
            }
            restore(connection, autoCommit);
            return result;
        });
    }

    static <T extends @Nullable Object> T finished(Connection connection, Sql.Work<T> work) throws SQLException {
        T result = work.with(connection);
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
        return result;
    }

    /** What is committed is committed, and whoever borrows the connection next works in either mode. */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            // nothing that was asked for has failed
        }
    }

    /** Leaves the mode alone if nothing could be rolled back: to change it would commit what is there. */
    private static void undo(Connection connection, boolean autoCommit, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            if (!isUndone(e)) {
                return;
            }
        }
        restore(connection, autoCommit);
    }

    /** SQLite rolls back by itself when its disk is full, and then has nothing to roll back. */
    private static boolean isUndone(Exception e) {
        return String.valueOf(e.getMessage()).contains("no transaction is active");
    }
}
