// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Where a challenge waits for its answer, keyed by user id. Three operations are enough; any object that has them works.
 *
 * <p>A store keeps strings and times and knows nothing of WebAuthn. What a ceremony must still know when the answer
 * comes (which ceremony it was) is part of the challenge itself, and the rest is the service's configuration, so
 * nothing is lost in a store that keeps a string and a number. Expiry is judged by the service; a store may forget
 * expired challenges but need not.
 *
 * <p>A challenge for a login without a user id is stored under {@code "~" + challenge}.
 *
 * <p>Implementations are called from many threads at once. One that fails throws an unchecked exception, and the
 * ceremony is refused.
 */
public interface ChallengeStore {

    /** The challenge outstanding for this user, the newest if there are several, or null. */
    @Nullable
    StoredChallenge getChallenge(String userId);

    /** Stores a challenge for this user. A store with one place per user replaces what was there. */
    void setChallenge(String userId, String challenge, long expiresAt);

    /** Removes every challenge outstanding for this user. */
    void clearChallenge(String userId);

    /**
     * Spends a challenge: of all callers who name the same one, at most one gets it, the others get null.
     *
     * <p>This default is made of the three operations: get, compare, clear. It holds the store's monitor meanwhile, so
     * it is exact for callers in one process and best effort between processes, where two may both get before either
     * clears. A store shared by several instances overrides it with one atomic step, as the stores shipped here do.
     *
     * <p>A challenge that is not the one stored is left alone. It would be no safer to clear it, since the caller could
     * not have guessed it, and clearing would let a stranger spoil a login in flight by answering nonsense in its name.
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
