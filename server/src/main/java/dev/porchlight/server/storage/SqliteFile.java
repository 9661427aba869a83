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

/** The file of an embedded database, opened in addition to or instead of the service's connections. Immutable. */
public final class SqliteFile {
    /** Suffixes of the files that SQLite keeps beside a database. It would apply leftovers of another database. */
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

    public interface Lock extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Copies a consistent snapshot of the database into a new file. It reads in one transaction, which does not block reads and
     * writes; the write-ahead log grows until it ends.
     */
    public void copyTo(Path copy) {
        try (Connection connection = connect()) {
            Sql.update(connection, "VACUUM INTO ?", copy.toString());
        } catch (SQLException e) {
            throw new StorageException("the database could not be copied", e);
        }
    }

    public long count(String table) {
        try (Connection connection = connect()) {
            return Sql.query(connection, "SELECT COUNT(*) FROM " + table, row -> row.getLong(1))
                    .get(0);
        } catch (SQLException e) {
            throw new StorageException("the table " + table + " could not be read", e);
        }
    }

    /** Checks the integrity of the whole file, including indexes. */
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
     * Merges the write-ahead log into the file and locks it exclusively. Empty if another process uses it, such as a running
     * service. A file that is not a valid database needs no lock.
     */
    @SuppressWarnings("MustBeClosedChecker") // the lock is the open connection
    public Optional<Lock> lock() {
        Connection connection;
        try {
            connection = connect();
        } catch (SQLException e) {
            return lockAfter(e);
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
            statement.execute("PRAGMA locking_mode = EXCLUSIVE");
            statement.execute("PRAGMA journal_mode = DELETE"); // fails if there is another connection
            statement.execute("BEGIN EXCLUSIVE");
            return Optional.of(() -> close(connection));
        } catch (SQLException e) {
            close(connection);
            return lockAfter(e);
        }
    }

    private static Optional<Lock> lockAfter(SQLException e) {
        return switch (e.getErrorCode() & PRIMARY_CODE) {
            case BUSY, LOCKED -> Optional.empty();
            case DISK_FAILS, CORRUPT, NO_DATABASE -> Optional.of(() -> {});
            default -> throw new StorageException("cannot determine whether the database is in use", e);
        };
    }

    private Connection connect() throws SQLException {
        SqliteLibrary.load();
        return DriverManager.getConnection(DatabaseUrl.sqlite(path).jdbc());
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // closing the file released the lock anyway
        }
    }
}
