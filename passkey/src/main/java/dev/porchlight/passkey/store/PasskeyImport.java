// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Imports users and passkeys that were registered elsewhere, all or none, in one transaction. Stored data is not changed,
 * except for a user's missing handle and names, so an import can be repeated. On SQLite, other writers wait until it ends.
 * Not thread-safe.
 *
 * <p>The number of passkeys per user is not limited here, and rows are not sealed: see {@code PasskeyService.sealPasskeys}.
 */
public final class PasskeyImport implements AutoCloseable {
    private static final int BATCH = 500;
    private static final String MARKS = String.join(", ", Collections.nCopies(BATCH, "?"));
    private static final String KNOWN_PASSKEYS =
            "SELECT credential_id, user_id, public_key FROM passkey_credential WHERE credential_id IN (" + MARKS + ")";
    private static final String UNSEAL = "DELETE FROM passkey_seal WHERE credential_id IN (" + MARKS + ")";
    private static final String KNOWN_USERS =
            "SELECT user_id, user_handle FROM passkey_user WHERE user_id IN (" + MARKS + ")";
    private static final String KNOWN_HANDLES =
            "SELECT user_handle, user_id FROM passkey_user WHERE user_handle IN (" + MARKS + ")";

    /** Changes no row. On SQLite it takes the write lock; a transaction that reads first may fail to get it later. */
    private static final String BEGIN = "DELETE FROM passkey_seal WHERE credential_id = ''";

    /** The number of new users, new passkeys, and passkeys that already existed. */
    public record Counts(long users, long passkeys, long known) {}

    private record Placed<T>(T value, String place) {}

    private record Known(String userId, String publicKey) {}

    private final Connection connection;
    private final SqlDialect dialect;
    private final LongTransaction transaction;
    private final Set<CredentialAlgorithm> algorithms;
    private final List<Placed<UserRecord>> users = new ArrayList<>();
    private final List<Placed<CredentialRecord>> passkeys = new ArrayList<>();
    private long newUsers;
    private long newPasskeys;
    private long knownPasskeys;

    private PasskeyImport(Connection connection, LongTransaction transaction, Set<CredentialAlgorithm> algorithms)
            throws SQLException {
        this.connection = connection;
        this.dialect = SqlDialect.of(connection);
        this.transaction = transaction;
        this.algorithms = algorithms;
    }

    /** Begins an import of passkeys for ES256. */
    public static PasskeyImport into(DataSource dataSource) {
        return into(dataSource, List.of(CredentialAlgorithm.ES256));
    }

    /** Begins an import of passkeys for these algorithms. */
    @SuppressWarnings("MustBeClosedChecker") // the import closes the connection
    public static PasskeyImport into(DataSource dataSource, Collection<CredentialAlgorithm> algorithms) {
        try {
            Connection connection = dataSource.getConnection();
            try {
                return begin(connection, algorithms);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new StorageException("the import could not begin", e);
        }
    }

    private static PasskeyImport begin(Connection connection, Collection<CredentialAlgorithm> algorithms)
            throws SQLException {
        LongTransaction transaction = LongTransaction.begin(connection);
        try {
            Sql.update(connection, BEGIN);
            return new PasskeyImport(connection, transaction, Set.copyOf(algorithms));
        } catch (SQLException e) {
            transaction.undo();
            throw e;
        }
    }

    /**
     * Adds a user.
     *
     * @param place the place of the user in the input, for error messages, which a later call may throw
     */
    public void add(UserRecord user, String place) throws ImportConflictException {
        users.add(new Placed<>(user, place));
        if (users.size() == BATCH) {
            flush();
        }
    }

    /**
     * Adds a passkey. A passkey that is already stored for the same user with the same key is not changed. Its key is stored as a JWK
     * with exactly the members it needs; a key for an algorithm that is not allowed is refused.
     */
    public void add(CredentialRecord passkey, String place) throws ImportConflictException {
        try {
            CredentialPublicKey key = key(passkey.publicKey());
            if (!algorithms.contains(key.algorithm())) {
                throw new ImportConflictException(place, "a key for " + key.algorithm() + ", which is not allowed");
            }
            passkeys.add(new Placed<>(passkey.withPublicKey(key.toJwk()), place));
        } catch (MalformedException e) {
            throw new ImportConflictException(place, String.valueOf(e.getMessage()));
        }
        if (passkeys.size() == BATCH) {
            flush();
        }
    }

    /** Commits the import. Without this call nothing is imported. */
    public Counts finish() throws ImportConflictException {
        flush();
        try {
            transaction.commit();
        } catch (SQLException e) {
            throw new StorageException("the import could not be committed", e);
        }
        return new Counts(newUsers, newPasskeys, knownPasskeys);
    }

    @Override
    public void close() {
        try {
            transaction.undo();
        } catch (SQLException e) {
            // nothing to undo on a lost connection
        } finally {
            release();
        }
    }

    private void release() {
        try {
            connection.close();
        } catch (SQLException e) {
            // the connection is lost
        }
    }

    private void flush() throws ImportConflictException {
        try {
            flushUsers();
            flushPasskeys();
        } catch (SQLException e) {
            throw new StorageException("the import failed", e);
        }
    }

    private void flushUsers() throws ImportConflictException, SQLException {
        if (users.isEmpty()) {
            return;
        }
        Map<String, String> owners = new HashMap<>();
        known(KNOWN_HANDLES, users, UserRecord::userHandle, row -> {
            owners.put(row.getString(1), row.getString(2));
            return true;
        });
        Map<String, @Nullable String> handles = new HashMap<>();
        known(KNOWN_USERS, users, UserRecord::userId, row -> {
            handles.put(row.getString(1), row.getString(2));
            return row.getString(1);
        });
        int there = handles.size();
        Map<String, UserRecord> distinct = new LinkedHashMap<>();
        for (Placed<UserRecord> user : users) {
            String owner =
                    owners.putIfAbsent(user.value().userHandle(), user.value().userId());
            if (owner != null && !owner.equals(user.value().userId())) {
                throw new ImportConflictException(user.place(), "the user handle belongs to another user");
            }
            String handle =
                    handles.putIfAbsent(user.value().userId(), user.value().userHandle());
            if (handle != null && !handle.equals(user.value().userHandle())) {
                throw new ImportConflictException(
                        user.place(), "a user with this id and another user handle exists, who may be another person");
            }
            distinct.putIfAbsent(user.value().userId(), user.value());
        }
        storeUsers(distinct.values());
        newUsers += distinct.size() - there;
        users.clear();
    }

    private void flushPasskeys() throws ImportConflictException, SQLException {
        if (passkeys.isEmpty()) {
            return;
        }
        Map<String, Known> there = new HashMap<>();
        known(KNOWN_PASSKEYS, passkeys, CredentialRecord::credentialId, row -> {
            there.put(row.getString(1), new Known(row.getString(2), row.getString(3)));
            return true;
        });
        List<Placed<CredentialRecord>> fresh = new ArrayList<>();
        for (Placed<CredentialRecord> passkey : passkeys) {
            CredentialRecord value = passkey.value();
            Known known = there.putIfAbsent(value.credentialId(), new Known(value.userId(), value.publicKey()));
            if (known == null) {
                fresh.add(passkey);
            } else if (!known.userId().equals(value.userId())) {
                throw new ImportConflictException(passkey.place(), "the passkey is already stored for another user");
            } else if (!sameKey(known.publicKey(), value.publicKey())) {
                throw new ImportConflictException(passkey.place(), "the passkey is already stored with another key");
            } else {
                knownPasskeys++;
            }
        }
        store(fresh);
        passkeys.clear();
    }

    private void store(List<Placed<CredentialRecord>> fresh) throws ImportConflictException, SQLException {
        if (fresh.isEmpty()) {
            return;
        }
        // A row that was deleted manually may have left its seal.
        Sql.update(connection, UNSEAL, padded(fresh, CredentialRecord::credentialId));
        boolean[] written = add(fresh);
        for (int i = 0; i < written.length; i++) {
            if (!written[i]) {
                throw new ImportConflictException(fresh.get(i).place(), "the passkey was registered during the import");
            }
        }
        newPasskeys += fresh.size();
    }

    private void storeUsers(Collection<UserRecord> distinct) throws SQLException {
        if (dialect == SqlDialect.STANDARD) {
            batch(UserRows.COMPLETE, distinct, UserRows::arguments);
            return;
        }
        for (UserRecord user : distinct) {
            UserRows.completeOnMySql(connection, user);
        }
    }

    /** Returns for each passkey whether it was inserted. On MySQL, a batch would end at the first duplicate. */
    private boolean[] add(List<Placed<CredentialRecord>> fresh) throws SQLException {
        boolean[] added = new boolean[fresh.size()];
        if (dialect == SqlDialect.STANDARD) {
            int[] counts = batch(
                    SqlCredentialStore.ADD.standard(), fresh, passkey -> CredentialRow.arguments(passkey.value()));
            for (int i = 0; i < added.length; i++) {
                added[i] = counts[i] != 0;
            }
        } else {
            for (int i = 0; i < added.length; i++) {
                Object[] row = CredentialRow.arguments(fresh.get(i).value());
                added[i] = Sql.insertIfAbsent(connection, SqlCredentialStore.ADD, row);
            }
        }
        return added;
    }

    private <T, R> Set<R> known(String sql, List<Placed<T>> batch, Function<T, String> key, Sql.RowReader<R> reader)
            throws SQLException {
        return Sql.query(connection, sql, reader, padded(batch, key)).stream().collect(Collectors.toSet());
    }

    /** Pads the arguments to the number of placeholders, so that one prepared statement is enough. */
    private static <T> @Nullable Object[] padded(List<Placed<T>> batch, Function<T, String> key) {
        @Nullable Object[] arguments = new @Nullable Object[BATCH];
        for (int i = 0; i < BATCH; i++) {
            arguments[i] = key.apply(batch.get(Math.min(i, batch.size() - 1)).value());
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

    private static CredentialPublicKey key(String jwk) throws MalformedException {
        return CredentialPublicKey.fromForeignJwk(JsonObject.parse(jwk, "jwk"));
    }

    /** Compares the keys regardless of their encoding. */
    private static boolean sameKey(String one, String other) {
        try {
            return one.equals(other) || key(one).equals(key(other));
        } catch (MalformedException e) {
            return false;
        }
    }
}
