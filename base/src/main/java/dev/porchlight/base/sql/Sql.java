// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The one place that speaks JDBC: gets a connection, runs a statement, reads what comes of it. Works with pools that hand
 * out connections in either auto-commit mode. Thread-safe; every failure is a {@link StorageException}. Public for stores
 * that live beside these on the same database.
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

    /**
     * Where work finds its connection, and who commits what it wrote: it is committed when a method returns, and undone
     * when it throws, unless it was never known what came of it. Called by many threads at once.
     */
    public interface Connections {
        /** Does work that only reads, and sees all that was committed before. */
        <T extends @Nullable Object> T read(Work<T> work) throws SQLException;

        /** Does work that is one statement. */
        <T extends @Nullable Object> T write(Work<T> statement) throws SQLException;

        /** Does work of several statements, all or nothing. */
        <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException;
    }

    /** Hears of every statement, for traces. Called by many threads at once; must not throw. */
    @FunctionalInterface
    public interface Watcher {
        /** A statement is about to be run; what is returned is run when it ended, well or not. */
        Runnable begin(String sql);
    }

    private static final String READ = "SELECT";

    private final Connections connections;
    private final Watcher watcher;

    /** Statements on connections from this source. */
    public Sql(DataSource dataSource) {
        this(dataSource, sql -> () -> {});
    }

    /** The same, and the watcher hears of each. */
    public Sql(DataSource dataSource, Watcher watcher) {
        this(new PooledConnections(dataSource), watcher);
    }

    /** Statements on connections that are had, and committed, in a way of its own. */
    public Sql(Connections connections, Watcher watcher) {
        this.connections = connections;
        this.watcher = watcher;
    }

    /** Runs one statement that writes, and says how many rows it concerned. */
    public int update(String sql, @Nullable Object... arguments) {
        return watched(sql, () -> connections.write(connection -> update(connection, sql, arguments)));
    }

    /** Runs one statement that returns rows, and reads them all. */
    public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... arguments) {
        Work<List<T>> work = connection -> query(connection, sql, reader, arguments);
        return watched(sql, () -> sql.startsWith(READ) ? connections.read(work) : connections.write(work));
    }

    /** All or nothing. The first statement of the work should be one that writes, so that SQLite takes its lock once. */
    public <T> T transaction(String what, Work<T> work) {
        return watched(what, () -> connections.transaction(work));
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

    @FunctionalInterface
    private interface Doing<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    private <T extends @Nullable Object> T watched(String what, Doing<T> doing) {
        Runnable ended = watcher.begin(what);
        try {
            return doing.run();
        } catch (StorageException e) {
            throw e;
        } catch (SQLException | RuntimeException e) { // drivers and pools throw either, and a row may be unreadable
            throw new StorageException("database: " + what, e);
        } finally {
            ended.run();
        }
    }
}
