// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where users and their passkeys are kept. Safe for use by many threads; throws {@link StorageException} when it cannot
 * do what it was asked.
 *
 * <p>The port is shaped by what must be decided by the store, because only it sees all instances at once: that a
 * credential id is registered once, that a sign count only grows, that the last passkey is not removed by accident.
 */
public interface CredentialStore {

    /** What became of an attempt to add a passkey. */
    enum Addition {
        /** It is stored. */
        ADDED,
        /** The id is registered already, by whomever; the row there was not touched. */
        EXISTS,
        /** The user has as many as he may. */
        TOO_MANY
    }

    /** What became of an attempt to remove a passkey. */
    enum Removal {
        /** It is gone. */
        REMOVED,
        /** No such passkey, or somebody else's. */
        NOT_FOUND,
        /** It is the user's last one, and was kept. */
        LAST
    }

    /**
     * What a login leaves behind.
     *
     * @param signCount the count the authenticator presented
     * @param at when
     * @param backupEligible its BE flag
     * @param backedUp its BS flag
     */
    record Use(long signCount, Instant at, boolean backupEligible, boolean backedUp) {}

    /** The passkey with this id, or null. One indexed read. */
    @Nullable
    CredentialRecord find(String credentialId);

    /** All passkeys of this user, oldest first. */
    List<CredentialRecord> list(String userId);

    /** The number of this user's passkeys, including those that {@link #list} skips because they cannot be read. */
    default int count(String userId) {
        return list(userId).size();
    }

    /**
     * Of this user's passkeys those that were used or registered last, up to so many, oldest first. A user may have more
     * than he may register, by an import: options must stay of a size that browsers take.
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

    /** Adds a passkey unless its id is taken or the user has {@code limit} already. Never changes an existing one. */
    Addition add(CredentialRecord credential, int limit);

    /**
     * Records a use, and its count, if the count grew or is zero as it always was. One conditional write, so that of
     * concurrent logins the greatest count stays.
     *
     * @return false if the count did not grow, or the passkey is gone; nothing was written then
     */
    boolean advance(String credentialId, Use use);

    /** Records a use whose count did not grow; the greater count stays. False if the passkey is gone. */
    boolean touch(String credentialId, Use use);

    /** Gives a passkey of this user a name. False if he has none with this id. */
    boolean rename(String userId, String credentialId, String name);

    /** Removes a passkey of this user; his last one only if told so. */
    Removal remove(String userId, String credentialId, boolean evenTheLast);

    /**
     * Up to so many passkeys that have no seal. For a service that seals rows, which a store must keep with them: {@link
     * CredentialRecord#seal}.
     */
    default List<CredentialRecord> unsealed(int limit) {
        throw new UnsupportedOperationException("this store keeps no seals");
    }

    /** Gives a passkey a seal if it has none. False if it has one, or is gone. */
    default boolean seal(String credentialId, String seal) {
        throw new UnsupportedOperationException("this store keeps no seals");
    }

    /** The user as authenticators know him, or null if he never began a registration. */
    @Nullable
    UserRecord user(String userId);

    /**
     * The user as authenticators know him, made from what is given if he is new. The handle of a known user stays;
     * names replace the old ones where they are given.
     */
    UserRecord enrol(UserRecord user);
}
