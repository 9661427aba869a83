// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.verify.IssuedChallenge;
import dev.porchlight.passkey.verify.Purpose;
import java.security.SecureRandom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Random challenges in a store that returns each of them once. Thread-safe if the store is. */
record StoredChallenges(ChallengeStore store, SecureRandom random) implements ChallengeKeeper {
    @Override
    public String issue(@Nullable String userId, Purpose purpose, long expiresAt) {
        String challenge = purpose.challenge(random);
        store.setChallenge(key(userId, challenge), challenge, expiresAt);
        return challenge;
    }

    @Override
    public @Nullable Issued take(@Nullable String userId, String challenge, Instant now) {
        StoredChallenge taken = store.takeChallenge(key(userId, challenge), challenge);
        return taken == null ? null : new Issued(new IssuedChallenge(taken.challenge(), taken.expiresAt()), null);
    }

    /** Without a user id the challenge is its own key, so that any number of users can sign in at once. */
    private static String key(@Nullable String userId, String challenge) {
        return userId == null ? "~" + challenge : userId;
    }
}
