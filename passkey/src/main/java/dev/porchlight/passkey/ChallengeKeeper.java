// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.verify.IssuedChallenge;
import dev.porchlight.passkey.verify.Purpose;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Issues challenges and recognizes them in responses, with a store or by their seal. Thread-safe. */
interface ChallengeKeeper {

    /**
     * A challenge in a response that this service issued.
     *
     * @param toUse the challenge for the commit to mark as used; null when a store has done that, or when it has expired
     */
    record Issued(IssuedChallenge challenge, @Nullable UsedChallenge toUse) {}

    /** Returns a new challenge for this user, or for any user if null. */
    String issue(@Nullable String userId, Purpose purpose, long expiresAt);

    /**
     * Returns the challenge as issued for this user, or null if it was not issued or is known to be used.
     *
     * @param now the time of the verification
     */
    @Nullable
    Issued take(@Nullable String userId, String challenge, Instant now);

    /** Returns whether a challenge was recently issued for this user, used or not. Writes nothing. Always false with a store. */
    default boolean isIssued(@Nullable String userId, String challenge, Instant now) {
        return false;
    }
}
