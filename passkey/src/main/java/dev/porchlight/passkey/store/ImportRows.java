// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The statements of an import, each for a batch of users or passkeys, on the connection of its transaction. Not thread-safe. */
final class ImportRows {
    static final int BATCH = 500;

    private static final String MARKS = Sql.marks(BATCH);
    private static final String PASSKEYS =
            "SELECT credential_id, user_id, public_key FROM passkey_credential WHERE credential_id IN (" + MARKS + ")";
    private static final String UNSEAL = "DELETE FROM passkey_seal WHERE credential_id IN (" + MARKS + ")";
    private static final String HANDLES =
            "SELECT user_id, user_handle FROM passkey_user WHERE user_id IN (" + MARKS + ")";
    private static final String OWNERS =
            "SELECT user_handle, user_id FROM passkey_user WHERE user_handle IN (" + MARKS + ")";

    /** Locks the rows that it returns, except on SQLite, where an import is the only writer. */
    private static final String STORED = "SELECT user_id FROM passkey_user WHERE user_id IN (" + MARKS + ")%s";

    private static final String REMOVE = "DELETE FROM passkey_credential WHERE credential_id = ?";

    /** Changes no row. On SQLite it takes the write lock; a transaction that reads first may fail to get it later. */
    private static final String LOCK = "DELETE FROM passkey_seal WHERE credential_id = ''";

    private final Connection connection;
    private final SqlDialect dialect;
    private final String stored;

    @FunctionalInterface
    private interface RowConsumer {
        void accept(ResultSet row) throws SQLException;
    }

    record Known(String userId, String publicKey) {}

    ImportRows(Connection connection) throws SQLException {
        this.connection = connection;
        this.dialect = SqlDialect.of(connection);
        boolean locksRows = dialect == SqlDialect.MYSQL || LongTransaction.isOnPostgres(connection);
        this.stored = STORED.formatted(locksRows ? " FOR UPDATE" : "");
    }

    static void lock(Connection connection) throws SQLException {
        Sql.update(connection, LOCK);
    }

    /**
     * Locks the rows of these users until the transaction ends, and creates missing ones. Waits for transactions that erase one of
     * them.
     *
     * @return the users whose row was missing
     */
    Set<String> lockUsers(Set<String> users) throws SQLException {
        Set<String> missing = new LinkedHashSet<>(users);
        find(stored, List.copyOf(users), Function.identity(), row -> missing.remove(row.getString(1)));
        if (!missing.isEmpty()) {
            batch(UserRows.LOCK.in(dialect), missing, userId -> new @Nullable Object[] {userId});
        }
        return missing;
    }

    /** The user ids that have a handle of one of these users, by handle. */
    Map<String, String> ownersOfHandles(List<UserRecord> users) throws SQLException {
        Map<String, String> owners = new HashMap<>();
        find(OWNERS, users, UserRecord::userHandle, row -> owners.put(row.getString(1), row.getString(2)));
        return owners;
    }

    /** The handles of those of these users who are stored, by user id. */
    Map<String, @Nullable String> handlesOfUsers(List<UserRecord> users) throws SQLException {
        Map<String, @Nullable String> handles = new HashMap<>();
        find(HANDLES, users, UserRecord::userId, row -> handles.put(row.getString(1), row.getString(2)));
        return handles;
    }

    /** Those of these passkeys that are stored, by credential id. */
    Map<String, Known> passkeys(List<CredentialRecord> passkeys) throws SQLException {
        Map<String, Known> stored = new HashMap<>();
        find(
                PASSKEYS,
                passkeys,
                CredentialRecord::credentialId,
                row -> stored.put(row.getString(1), new Known(row.getString(2), row.getString(3))));
        return stored;
    }

    /** Stores new users, and the missing handles and names of others. */
    void storeUsers(Collection<UserRecord> users) throws SQLException {
        if (dialect == SqlDialect.STANDARD) {
            batch(UserRows.COMPLETE, users, UserRows::arguments);
            return;
        }
        for (UserRecord user : users) {
            UserRows.completeOnMySql(connection, user);
        }
    }

    /** Stores new passkeys without seals, and returns for each whether it was inserted. */
    boolean[] storePasskeys(List<CredentialRecord> passkeys) throws SQLException {
        // A row that was deleted manually may have left its seal.
        Sql.update(connection, UNSEAL, padded(passkeys, CredentialRecord::credentialId));
        boolean[] added = new boolean[passkeys.size()];
        if (dialect == SqlDialect.STANDARD) {
            int[] counts = batch(SqlCredentialStore.ADD.standard(), passkeys, CredentialRow::arguments);
            for (int i = 0; i < added.length; i++) {
                added[i] = counts[i] != 0;
            }
        } else { // a batch would end at the first duplicate
            for (int i = 0; i < added.length; i++) {
                added[i] = Sql.insertIfAbsent(
                        connection, SqlCredentialStore.ADD, CredentialRow.arguments(passkeys.get(i)));
            }
        }
        return added;
    }

    void removePasskey(String credentialId) throws SQLException {
        Sql.update(connection, REMOVE, credentialId);
    }

    private <T> void find(String sql, List<T> batch, Function<T, String> key, RowConsumer consumer)
            throws SQLException {
        Sql.query(
                connection,
                sql,
                row -> {
                    consumer.accept(row);
                    return true;
                },
                padded(batch, key));
    }

    /** Pads the arguments to the number of placeholders, so that one prepared statement is enough. */
    private static <T> @Nullable Object[] padded(List<T> batch, Function<T, String> key) {
        @Nullable Object[] arguments = new @Nullable Object[BATCH];
        for (int i = 0; i < BATCH; i++) {
            arguments[i] = key.apply(batch.get(Math.min(i, batch.size() - 1)));
        }
        return arguments;
    }

    private <T> int[] batch(String sql, Collection<T> items, Function<T, @Nullable Object[]> arguments)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (T item : items) {
                @Nullable Object[] row = arguments.apply(item);
                for (int i = 0; i < row.length; i++) {
                    statement.setObject(i + 1, row[i]);
                }
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }
}
