// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.store.ImportRows.Known;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
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
 * except for a user's missing handle and names, so an import can be repeated. What was removed since is imported again,
 * unless a {@link ImportScreening} refuses it. On SQLite, other writers wait until the import ends. Not thread-safe.
 *
 * <p>The number of passkeys per user is not limited here, and rows are not sealed: see {@code PasskeyService.sealPasskeys}.
 */
public final class PasskeyImport implements AutoCloseable {
    private static final int BATCH = ImportRows.BATCH;

    /** The number of new users, new passkeys, and passkeys that already existed. */
    public record Counts(long users, long passkeys, long known) {}

    private record Placed<T>(T value, String place) {}

    private final Connection connection;
    private final ImportRows rows;
    private final LongTransaction transaction;
    private final Set<CredentialAlgorithm> algorithms;
    private final ImportScreening screening;
    private final List<Placed<UserRecord>> users = new ArrayList<>();
    private final List<Placed<CredentialRecord>> passkeys = new ArrayList<>();
    private long newUsers;
    private long newPasskeys;
    private long knownPasskeys;

    private PasskeyImport(
            Connection connection,
            LongTransaction transaction,
            Set<CredentialAlgorithm> algorithms,
            ImportScreening screening)
            throws SQLException {
        this.connection = connection;
        this.rows = new ImportRows(connection);
        this.transaction = transaction;
        this.algorithms = algorithms;
        this.screening = screening;
    }

    /** Begins an import of passkeys for ES256. */
    public static PasskeyImport into(DataSource dataSource) {
        return into(dataSource, List.of(CredentialAlgorithm.ES256), ImportScreening.NONE);
    }

    /** Begins an import of passkeys for these algorithms. */
    @SuppressWarnings("MustBeClosedChecker") // the import closes the connection
    public static PasskeyImport into(
            DataSource dataSource, Collection<CredentialAlgorithm> algorithms, ImportScreening screening) {
        try {
            Connection connection = dataSource.getConnection();
            try {
                return begin(connection, algorithms, screening);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw new StorageException("the import could not begin", e);
        }
    }

    private static PasskeyImport begin(
            Connection connection, Collection<CredentialAlgorithm> algorithms, ImportScreening screening)
            throws SQLException {
        LongTransaction transaction = LongTransaction.begin(connection);
        try {
            ImportRows.lock(connection);
            return new PasskeyImport(connection, transaction, Set.copyOf(algorithms), screening);
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
            screening.finish(connection);
            if (newPasskeys > 0) {
                SqlPasskeyShapes.keepRare(connection);
            }
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
        Set<String> created = lock(users, UserRecord::userId);
        if (!users.isEmpty()) {
            storeUsers();
        }
        newUsers += created.size();
        screening.importedUsers(connection, created);
    }

    private void storeUsers() throws ImportConflictException, SQLException {
        List<UserRecord> added = users.stream().map(Placed::value).toList();
        Map<String, String> owners = rows.ownersOfHandles(added);
        Map<String, @Nullable String> handles = rows.handlesOfUsers(added);
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
        rows.storeUsers(distinct.values());
        users.clear();
    }

    /** Locks the users of these entries. Removes the entries of users who are refused, and returns those who are new. */
    private <T> Set<String> lock(List<Placed<T>> entries, Function<T, String> userId) throws SQLException {
        if (entries.isEmpty()) {
            return Set.of();
        }
        Set<String> created = rows.lockUsers(
                entries.stream().map(entry -> userId.apply(entry.value())).collect(Collectors.toSet()));
        Map<String, String> refused = created.isEmpty() ? Map.of() : screening.refusedUsers(connection, created);
        for (String each : refused.keySet()) {
            SqlUsers.forget(connection, each);
        }
        refuse(entries, userId, refused);
        created.removeAll(refused.keySet());
        return created;
    }

    private <T> void refuse(List<Placed<T>> entries, Function<T, String> key, Map<String, String> reasons) {
        entries.removeIf(entry -> {
            String reason = reasons.get(key.apply(entry.value()));
            if (reason != null) {
                screening.refused(entry.place(), reason);
            }
            return reason != null;
        });
    }

    private void flushPasskeys() throws ImportConflictException, SQLException {
        if (passkeys.isEmpty()) {
            return;
        }
        Map<String, Known> there =
                rows.passkeys(passkeys.stream().map(Placed::value).toList());
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
        var unused = lock(fresh, CredentialRecord::userId);
        if (fresh.isEmpty()) {
            return;
        }
        boolean[] written = rows.storePasskeys(fresh.stream().map(Placed::value).toList());
        for (int i = 0; i < written.length; i++) {
            if (!written[i]) {
                throw new ImportConflictException(fresh.get(i).place(), "the passkey was registered during the import");
            }
        }
        Map<String, String> refused = screening.refusedPasskeys(connection, ids(fresh));
        for (String credentialId : refused.keySet()) {
            rows.removePasskey(credentialId);
        }
        refuse(fresh, CredentialRecord::credentialId, refused);
        screening.imported(connection, ids(fresh));
        newPasskeys += fresh.size();
    }

    private static List<String> ids(List<Placed<CredentialRecord>> passkeys) {
        return passkeys.stream().map(passkey -> passkey.value().credentialId()).toList();
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
