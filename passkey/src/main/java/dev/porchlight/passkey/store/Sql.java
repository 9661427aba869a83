// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The one place that speaks JDBC: borrows a connection, runs a statement, gives the connection back as it was. Works
 * with pools that hand out connections in either auto-commit mode. Thread-safe; every failure is a
 * {@link StorageException}. Public for stores that live beside these on the same database.
 *
 * <p>What the database rolled back because of others (a serialization failure or a deadlock) is done again, a few times,
 * as is a {@code SELECT} whose connection was lost: it changes nothing.
 */
public final class Sql {
    /** Something done with a borrowed connection. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /** Does it, perhaps more than once, so it must change nothing but the database. */
        T with(Connection connection) throws SQLException;
    }

    /** Reads one row of a result. */
    @FunctionalInterface
    public interface RowReader<T> {
        /** Reads the row the result is at, and moves nowhere. */
        T read(ResultSet row) throws SQLException;
    }

    /** Hears of every statement, for traces. Called by many threads at once; must not throw. */
    @FunctionalInterface
    public interface Watcher {
        /** A statement is about to be run; what is returned is run when it ended, well or not. */
        Runnable begin(String sql);
    }

    private static final String READ = "SELECT";

    private final Retry connections;
    private final Watcher watcher;

    /** Statements on connections from this source. */
    public Sql(DataSource dataSource) {
        this(dataSource, sql -> () -> {});
    }

    /** The same, and the watcher hears of each. */
    public Sql(DataSource dataSource, Watcher watcher) {
        this.connections = new Retry(dataSource);
        this.watcher = watcher;
    }

    /** Runs one statement that writes, and says how many rows it concerned. */
    public int update(String sql, @Nullable Object... arguments) {
        return borrow(sql, Retry::isRolledBack, connection -> {
            int rows = update(connection, sql, arguments);
            finish(connection);
            return rows;
        });
    }

    /** Runs one statement that returns rows, and reads them all. */
    public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... arguments) {
        return borrow(sql, sql.startsWith(READ) ? Retry::isRolledBackOrLost : Retry::isRolledBack, connection -> {
            List<T> rows = query(connection, sql, reader, arguments);
            finish(connection);
            return rows;
        });
    }

    /** All or nothing. The first statement of the work should be one that writes, so that SQLite takes its lock once. */
    public <T> T transaction(String what, Work<T> work) {
        return borrow(what, Retry::isRolledBack, connection -> {
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

    /** The same as part of some work. */
    public static int update(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, arguments)) {
            return statement.executeUpdate();
        }
    }

    /** Reads to the end: SQLite commits an {@code … RETURNING} when its last row was read, and only then can it fail. */
    public static <T> List<T> query(
            Connection connection, String sql, RowReader<T> reader, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, arguments);
                ResultSet rows = statement.executeQuery()) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(reader.read(rows));
            }
            return read;
        }
    }

    /** The first of some rows, or null. */
    public static <T> @Nullable T first(List<T> rows) {
        return rows.isEmpty() ? null : rows.get(0);
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... arguments)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private <T extends @Nullable Object> T borrow(String what, Predicate<SQLException> again, Work<T> work) {
        Runnable ended = watcher.begin(what);
        try {
            return connections.run(again, work);
        } catch (StorageException e) {
            throw e;
        } catch (SQLException | RuntimeException e) { // drivers and pools throw either, and a row may be unreadable
            throw new StorageException("database: " + what, e);
        } finally {
            ended.run();
        }
    }

    /** What is committed is committed, and whoever borrows the connection next works in either mode. */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            // nothing that was asked for has failed
        }
    }

    static void finish(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    /** Leaves the mode alone if nothing could be rolled back: to change it would commit what is there. */
    private static void undo(Connection connection, boolean autoCommit, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}
