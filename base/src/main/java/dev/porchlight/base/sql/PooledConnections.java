// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Borrows a connection for each piece of work, in either auto-commit mode, and returns it in the same mode. Thread-safe. */
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
                rollBack(connection, autoCommit, e);
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

    /** A failure is ignored: the work is committed, and the next borrower works in either mode. */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            // ignored, see above
        }
    }

    /** Rolls back. If that fails, the mode is not restored, because changing it would commit the partial work. */
    private static void rollBack(Connection connection, boolean autoCommit, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            if (!isRolledBack(e)) {
                return;
            }
        }
        restore(connection, autoCommit);
    }

    /** Returns whether SQLite had already rolled back, as it does when the disk is full. */
    private static boolean isRolledBack(Exception e) {
        return String.valueOf(e.getMessage()).contains("no transaction is active");
    }
}
