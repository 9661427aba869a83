// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.StorageException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores users and their passkeys. Implementations must be thread-safe, and throw a {@link StorageException} on failure.
 *
 * <p>The store decides what only it can decide for all instances at once: that a credential id is registered once, that a
 * sign count only grows, that the last passkey is not removed by accident.
 */
public interface CredentialStore {

    /** The result of an addition. */
    enum Addition {
        /** The passkey is stored. */
        ADDED,
        /** The id is already registered, by this or another user; that row was not changed. */
        EXISTS,
        /** The user has the maximum number of passkeys. */
        TOO_MANY
    }

    /** The result of a removal. */
    enum Removal {
        /** The passkey is removed. */
        REMOVED,
        /** The passkey does not exist or belongs to another user. */
        NOT_FOUND,
        /** The passkey is the user's last one and was kept. */
        LAST
    }

    /**
     * The values that a login records.
     *
     * @param signCount the count that the authenticator presented
     * @param at the time of the login
     * @param backupEligible its BE flag
     * @param backedUp its BS flag
     */
    record Use(long signCount, Instant at, boolean backupEligible, boolean backedUp) {}

    /** Returns the passkey with this id, or null. One indexed read. */
    @Nullable
    CredentialRecord find(String credentialId);

    /** Returns all passkeys of this user, oldest first. */
    List<CredentialRecord> list(String userId);

    /** Returns the number of this user's passkeys, including those that {@link #list} skips because they cannot be read. */
    default int count(String userId) {
        return list(userId).size();
    }

    /**
     * Returns the passkeys of this user that were used or registered last, up to the limit, oldest first. After an import a
     * user may have more passkeys than the limit, and options must stay small enough for browsers.
     */
    default List<CredentialRecord> recent(String userId, int limit) {
        List<CredentialRecord> all = list(userId);
        return all.size() <= limit
                ? all
                : all.stream()
                        .sorted(CredentialRecord.NEWEST_USE_FIRST)
                        .limit(limit)
                        .sorted(CredentialRecord.OLDEST_FIRST)
                        .toList();
    }

    /** Adds a passkey unless its id is taken or the user already has {@code limit} passkeys. Never changes an existing one. */
    Addition add(CredentialRecord credential, int limit);

    /**
     * Records a use and its count if the count grew, or is and was zero. One conditional write, so that the
     * greatest count of concurrent logins stays.
     *
     * @return false if the count did not grow, or the passkey does not exist; nothing was written then
     */
    boolean advance(String credentialId, Use use);

    /** Records a use whose count did not grow; the greater count stays. False if the passkey does not exist. */
    boolean touch(String credentialId, Use use);

    /** Renames a passkey of this user. False if the user has no passkey with this id. */
    boolean rename(String userId, String credentialId, String name);

    /** Removes a passkey of this user; the last one only if {@code allowLast}. */
    Removal remove(String userId, String credentialId, boolean allowLast);

    /**
     * Returns passkeys that have no seal, up to the limit. For a service that seals rows: the store must then keep {@link
     * CredentialRecord#seal}.
     */
    default List<CredentialRecord> unsealed(int limit) {
        throw new UnsupportedOperationException("this store does not support seals");
    }

    /** Adds a seal to a passkey without one. False if it has one or does not exist. */
    default boolean seal(String credentialId, String seal) {
        throw new UnsupportedOperationException("this store does not support seals");
    }

    /** Returns the user as authenticators know them, or null if they never started a registration. */
    @Nullable
    UserRecord user(String userId);

    /**
     * Stores a new user, or updates the names of a known one where they are given, and returns the result. The handle of a
     * known user stays.
     */
    UserRecord enroll(UserRecord user);
}
