// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Stores outstanding challenges by user id. An implementation needs three operations.
 *
 * <p>A store keeps strings and times and knows nothing about WebAuthn: which ceremony a challenge belongs to is part of the
 * challenge itself. The service checks the expiry; a store may remove expired challenges but need not.
 *
 * <p>A challenge for a login without a user id is stored under {@code "~" + challenge}.
 *
 * <p>Implementations must be thread-safe. If one throws an unchecked exception, the ceremony fails and nothing is accepted.
 */
public interface ChallengeStore {

    /** Returns the newest outstanding challenge of this user, or null. */
    @Nullable
    StoredChallenge getChallenge(String userId);

    /** Stores a challenge for this user. A store with one entry per user replaces it. */
    void setChallenge(String userId, String challenge, long expiresAt);

    /** Removes every challenge outstanding for this user. */
    void clearChallenge(String userId);

    /**
     * Takes a challenge. If several callers take the same challenge, at most one gets it and the others get null.
     *
     * <p>This default uses the three operations: get, compare, clear. It holds the store's monitor, so it is exact within
     * one process and best effort between processes, where two callers may both get before either clears. A store shared
     * by several instances should override it with one atomic step, as the stores shipped here do.
     *
     * <p>If the stored challenge is a different one, it stays. Clearing it would not be safer, since challenges cannot be guessed,
     * and would let an attacker break the login of another user with a bogus response.
     */
    default @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
        synchronized (this) {
            StoredChallenge stored = getChallenge(userId);
            if (stored == null
                    || !MessageDigest.isEqual(stored.challenge().getBytes(UTF_8), challenge.getBytes(UTF_8))) {
                return null;
            }
            clearChallenge(userId);
            return stored;
        }
    }
}
