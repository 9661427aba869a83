// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.verify.Purpose;
import org.jspecify.annotations.Nullable;

/** Issues challenges and recognizes those that are answered: from a store, or from a seal. Thread-safe. */
interface ChallengeKeeper {

    /**
     * A challenge of this service that was answered.
     *
     * @param toUse what the ceremony's commit must mark as used; null when a store has done that
     */
    record Issued(StoredChallenge challenge, @Nullable UsedChallenge toUse) {}

    /** A fresh challenge for this user, or for whoever answers. */
    String issue(@Nullable String userId, Purpose purpose, long expiresAt);

    /** The challenge as it was issued for this user, or null if it was not, or is known to be used. */
    @Nullable
    Issued answered(@Nullable String userId, String challenge);
}
