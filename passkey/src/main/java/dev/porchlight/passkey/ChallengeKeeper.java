// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.verify.IssuedChallenge;
import dev.porchlight.passkey.verify.Purpose;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Issues challenges and recognizes them in responses: from a store, or from their seal. Thread-safe. */
interface ChallengeKeeper {

    /**
     * A challenge of this service in a response.
     *
     * @param toUse what the ceremony's commit must mark as used; null when a store has done that, or when the challenge
     *     has expired
     */
    record Issued(IssuedChallenge challenge, @Nullable UsedChallenge toUse) {}

    /** A fresh challenge for this user, or for any user if null. */
    String issue(@Nullable String userId, Purpose purpose, long expiresAt);

    /**
     * The challenge as it was issued for this user, or null if it was not, or is known to be used.
     *
     * @param now the moment at which the response is judged
     */
    @Nullable
    Issued answered(@Nullable String userId, String challenge, Instant now);

    /** Whether a challenge was issued for this user not long ago, used or not. Writes nothing; a store does not know. */
    default boolean isIssued(@Nullable String userId, String challenge, Instant now) {
        return false;
    }
}
