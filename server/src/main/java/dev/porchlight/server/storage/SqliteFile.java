// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/** The file of an embedded database, opened beside the service's own connection or in its place. Immutable. */
public final class SqliteFile {
    /** What SQLite may keep beside a database; it would take up one that was left behind by another. */
    public static final List<String> COMPANIONS = List.of("-wal", "-shm", "-journal");

    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int DISK_FAILS = 10;
    private static final int CORRUPT = 11;
    private static final int NO_DATABASE = 26;
    private static final int PRIMARY_CODE = 0xff;

    private final Path path;

    public SqliteFile(Path path) {
        this.path = path;
    }

    /** Something that ends without trouble. */
    public interface Lock extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Copies the database as it is at one moment into a new file. It reads in one transaction, which keeps nobody from
     * reading and writing meanwhile; the write-ahead log grows until it ends.
     */
    public void copyTo(Path copy) {
        try (Connection connection = connect()) {
            Sql.update(connection, "VACUUM INTO ?", copy.toString());
        } catch (SQLException e) {
            throw new StorageException("the database could not be copied", e);
        }
    }

    /** How many rows a table has. */
    public long count(String table) {
        try (Connection connection = connect()) {
            return Sql.query(connection, "SELECT COUNT(*) FROM " + table, row -> row.getLong(1))
                    .get(0);
        } catch (SQLException e) {
            throw new StorageException("the table " + table + " could not be read", e);
        }
    }

    /** Reads all of it, indexes too. */
    public void check() {
        List<String> findings;
        try (Connection connection = connect()) {
            findings = Sql.query(connection, "PRAGMA integrity_check(3)", row -> row.getString(1));
        } catch (SQLException e) {
            throw new StorageException("the database is damaged", e);
        }
        if (!findings.equals(List.of("ok"))) {
            throw new StorageException("the database is damaged: " + String.join("; ", findings));
        }
    }

    /**
     * Keeps everybody else out, having brought all that was written into the one file. Nothing if somebody has it open, as a
     * service that runs has. A file that is no database any more is nobody's: there is nothing to lock.
     */
    @SuppressWarnings("MustBeClosedChecker") // the lock is the open connection
    public Optional<Lock> alone() {
        Connection connection;
        try {
            connection = connect();
        } catch (SQLException e) {
            return readable(e);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            statement.execute("PRAGMA journal_mode = DELETE"); // which needs that there is no other connection
            statement.execute("BEGIN EXCLUSIVE");
            return Optional.of(() -> close(connection));
        } catch (SQLException e) {
            close(connection);
            return readable(e);
        }
    }

    private static Optional<Lock> readable(SQLException e) {
        return switch (e.getErrorCode() & PRIMARY_CODE) {
            case BUSY, LOCKED -> Optional.empty();
            case DISK_FAILS, CORRUPT, NO_DATABASE -> Optional.of(() -> {});
            default -> throw new StorageException("it cannot be known whether the database is in use", e);
        };
    }

    private Connection connect() throws SQLException {
        SqliteLibrary.load();
        return DriverManager.getConnection("jdbc:sqlite:" + path);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // what was locked is locked no more, since the file is closed in any case
        }
    }
}
