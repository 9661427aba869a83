// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;

/** Reads a consistent snapshot of all users and passkeys, page by page. Thread-safe. */
public final class PasskeyExport {
    private static final int PAGE = 1_000;
    private static final String USERS = "SELECT user_id, user_handle, name, display_name FROM passkey_user"
            + " WHERE user_id > ? AND user_handle IS NOT NULL ORDER BY user_id LIMIT " + PAGE;
    private static final String PASSKEYS = "SELECT " + CredentialRow.READ_COLUMNS + " FROM passkey_credential"
            + " WHERE credential_id > ? ORDER BY credential_id LIMIT " + PAGE;

    private final DataSource dataSource;

    /** Creates an export of this database. */
    public PasskeyExport(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Receives a page of users, and the snapshot, in which an application finds what else it stores about them. */
    @FunctionalInterface
    public interface UserPage {
        void read(Connection snapshot, List<UserRecord> users) throws SQLException;
    }

    /** Passes all users who have a handle, by id, and then all passkeys, by id, to the consumers. */
    public void read(Consumer<UserRecord> users, Consumer<CredentialRecord> passkeys) {
        readPages((snapshot, page) -> page.forEach(users), passkeys);
    }

    /** The same with pages of users, of which there is at least one. */
    public void readPages(UserPage users, Consumer<CredentialRecord> passkeys) {
        Pages pages = connection -> {
            each(connection, USERS, UserRows::read, UserRecord::userId, page -> users.read(connection, page));
            each(
                    connection,
                    PASSKEYS,
                    CredentialRow::tryRead,
                    CredentialRow.Reading::credentialId,
                    page -> page.forEach(row -> passkeys.accept(readable(row))));
        };
        try (Connection connection = dataSource.getConnection()) {
            if (LongTransaction.isOnPostgres(connection) || SqlDialect.of(connection) == SqlDialect.MYSQL) {
                inSnapshot(connection, pages);
            } else {
                withoutBlockingWriters(connection, pages);
            }
        } catch (SQLException e) {
            throw new StorageException("the passkeys could not be read", e);
        }
    }

    /** Fails instead of silently leaving out a passkey. */
    private static CredentialRecord readable(CredentialRow.Reading row) {
        if (row.credential() == null) {
            throw new StorageException("the passkey " + row.credentialId() + " of " + row.userId() + " cannot be read ("
                    + row.fault() + "): remove or correct its row");
        }
        return row.credential();
    }

    @FunctionalInterface
    private interface Pages {
        void read(Connection connection) throws SQLException;
    }

    private static void inSnapshot(Connection connection, Pages pages) throws SQLException {
        LongTransaction transaction = LongTransaction.begin(connection);
        try {
            // only for this transaction: a pooler may give the connection to another session afterwards
            Sql.update(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            pages.read(connection);
        } finally {
            transaction.undo();
        }
    }

    /** Every SQLite transaction reads one snapshot. The driver's own transactions may block writers. */
    private static void withoutBlockingWriters(Connection connection, Pages pages) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        Sql.update(connection, "BEGIN");
        try {
            pages.read(connection);
        } finally {
            Sql.update(connection, "ROLLBACK");
            connection.setAutoCommit(autoCommit);
        }
    }

    @FunctionalInterface
    private interface Page<T> {
        void read(List<T> rows) throws SQLException;
    }

    private static <T> void each(
            Connection connection, String sql, Sql.RowReader<T> reader, Function<T, String> key, Page<T> consumer)
            throws SQLException {
        String last = "";
        List<T> page;
        do {
            page = Sql.query(connection, sql, reader, last);
            consumer.read(page);
            last = page.isEmpty() ? last : key.apply(page.get(page.size() - 1));
        } while (page.size() == PAGE);
    }
}
