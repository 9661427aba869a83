// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs SQL statements over JDBC; no other class does. Works with pools that hand out connections in either auto-commit
 * mode. Every failure is a {@link StorageException}. Public for other stores on the same database. Thread-safe.
 *
 * <p>Work that the database rolled back because of a conflict (a serialization failure or a deadlock) is retried a few
 * times, and so is a {@code SELECT} whose connection was lost.
 */
public final class Sql {
    /** Work on a borrowed connection. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /** Does the work. May be called again after a rollback, so it must change nothing but the database. */
        T with(Connection connection) throws SQLException;
    }

    /** Reads one row of a result. */
    @FunctionalInterface
    public interface RowReader<T> {
        /** Reads the current row without moving the cursor. */
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Lends connections and commits. When a method returns, the work is committed; when it throws, the work was rolled
     * back, unless the connection was lost before the result was known. Thread-safe.
     */
    public interface Connections {
        /** Runs read-only work, which sees everything committed before. */
        <T extends @Nullable Object> T read(Work<T> work) throws SQLException;

        /** Runs a single statement. */
        <T extends @Nullable Object> T write(Work<T> statement) throws SQLException;

        /** Runs several statements in one transaction. */
        <T extends @Nullable Object> T transaction(Work<T> work) throws SQLException;
    }

    /** Is notified of every statement, for traces. Thread-safe; must not throw. */
    @FunctionalInterface
    public interface StatementListener {
        /** Called before a statement. The returned callback runs when the statement has ended or failed. */
        Runnable begin(String sql);

        /** Called before a statement or transaction is tried again, with the number of this attempt, from 2. */
        default void retried(String sql, int attempt) {}
    }

    private static final String READ = "SELECT";

    /** Only the statement is rolled back, not its transaction. SQLite and PostgreSQL do not use this code. */
    private static final int MYSQL_DUPLICATE_KEY = 1062;

    private final Connections connections;
    private final StatementListener listener;
    private volatile @Nullable SqlDialect dialect;

    /** Runs statements on connections from a data source. */
    public Sql(DataSource dataSource) {
        this(dataSource, sql -> () -> {});
    }

    /** Runs statements on connections from a data source, and notifies the listener of each. */
    public Sql(DataSource dataSource, StatementListener listener) {
        this(new PooledConnections(dataSource), listener);
    }

    /** Runs statements on connections that the caller lends and commits. */
    public Sql(Connections connections, StatementListener listener) {
        this.connections = connections;
        this.listener = listener;
    }

    /** Runs one statement that writes, and returns the number of affected rows. */
    public int update(String sql, @Nullable Object... arguments) {
        return observed(sql, () -> connections.write(counted(sql, connection -> update(connection, sql, arguments))));
    }

    /** Runs one statement that returns rows, and reads them all. */
    public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... arguments) {
        Work<List<T>> work = counted(sql, connection -> query(connection, sql, reader, arguments));
        return observed(sql, () -> sql.startsWith(READ) ? connections.read(work) : connections.write(work));
    }

    /** Returns whether a query has a row. */
    public boolean exists(String sql, @Nullable Object... arguments) {
        return !query(sql, row -> true, arguments).isEmpty();
    }

    /** Runs work in one transaction. Its first statement should write, so that SQLite takes its lock only once. */
    public <T> T transaction(String what, Work<T> work) {
        return observed(what, () -> connections.transaction(counted(what, work)));
    }

    /** Inserts a row unless its key exists. Returns whether it was inserted. */
    public boolean insertIfAbsent(SqlDialect.Statement insert, @Nullable Object... arguments) {
        return observed(
                insert.standard(),
                () -> connections.write(
                        counted(insert.standard(), connection -> insertIfAbsent(connection, insert, arguments))));
    }

    /** Returns the dialect of the database, which is detected once. */
    public SqlDialect dialect() {
        SqlDialect known = dialect;
        if (known == null) {
            known = observed("detect the dialect", () -> connections.read(SqlDialect::of));
            dialect = known;
        }
        return known;
    }

    /** Returns the name of the database product, from the driver's metadata. */
    String product() {
        return observed("detect the database", () -> connections.read(SqlDialect::product));
    }

    /** Inserts a row unless its key exists, as part of a transaction. Returns whether it was inserted. */
    public static boolean insertIfAbsent(
            Connection connection, SqlDialect.Statement insert, @Nullable Object... arguments) throws SQLException {
        try {
            return update(connection, insert.in(connection), arguments) == 1;
        } catch (SQLException e) {
            if (e.getErrorCode() == MYSQL_DUPLICATE_KEY && "23000".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /** Runs one statement that writes, as part of a transaction. */
    public static int update(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, arguments)) {
            return statement.executeUpdate();
        }
    }

    /**
     * Runs one query, as part of a transaction. Reads all rows, because SQLite commits {@code … RETURNING} only after
     * the last one.
     */
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

    /** Returns whether a query has a row, as part of a transaction. */
    public static boolean exists(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        return !query(connection, sql, row -> true, arguments).isEmpty();
    }

    /** Returns a number of a row, or null. */
    public static @Nullable Long optionalLong(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }

    /** Returns this many comma-separated question marks. */
    public static String marks(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /** Returns the first row, or null if there are no rows. */
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
    private interface Action<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    /** Notifies the listener when the work is done again. */
    private <T extends @Nullable Object> Work<T> counted(String what, Work<T> work) {
        int[] attempts = {0};
        return connection -> {
            if (++attempts[0] > 1) {
                listener.retried(what, attempts[0]);
            }
            return work.with(connection);
        };
    }

    private <T extends @Nullable Object> T observed(String what, Action<T> action) {
        Runnable ended = listener.begin(what);
        try {
            return action.run();
        } catch (StorageException e) {
            throw e;
        } catch (SQLException | RuntimeException e) { // drivers and pools throw either, and so does an unreadable row
            throw new StorageException("database: " + what, e);
        } finally {
            ended.run();
        }
    }
}
