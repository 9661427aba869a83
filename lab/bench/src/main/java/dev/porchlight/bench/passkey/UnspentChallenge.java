// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.StoredChallenge;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Challenges that stay valid: peers also receive theirs with each response. Not thread-safe. */
final class UnspentChallenge implements ChallengeStore {
    private final Map<String, StoredChallenge> issued = new HashMap<>();

    void issued(String challenge) {
        issued.put(challenge, new StoredChallenge(challenge, Long.MAX_VALUE));
    }

    @Override
    public @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
        return issued.get(challenge);
    }

    @Override
    public @Nullable StoredChallenge getChallenge(String userId) {
        return null;
    }

    @Override
    public void setChallenge(String userId, String challenge, long expiresAt) {
        issued.put(challenge, new StoredChallenge(challenge, expiresAt));
    }

    @Override
    public void clearChallenge(String userId) {
        issued.clear();
    }
}
