// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.StoredChallenge;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A minimal challenge store: one entry per user, and the three operations of the specification. */
public class ThreeOperations implements ChallengeStore {
    private final Map<String, StoredChallenge> slots = new ConcurrentHashMap<>();

    @Override
    public StoredChallenge getChallenge(String userId) {
        return slots.get(userId);
    }

    @Override
    public void setChallenge(String userId, String challenge, long expiresAt) {
        slots.put(userId, new StoredChallenge(challenge, expiresAt));
    }

    @Override
    public void clearChallenge(String userId) {
        slots.remove(userId);
    }
}
