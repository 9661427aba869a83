// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The default way of spending, over a store that has the three operations of the specification and no more. */
class ThreeOperationsTest extends ChallengeStoreContract {
    private final Map<String, StoredChallenge> slots = new ConcurrentHashMap<>();

    private final ChallengeStore store = new ChallengeStore() {
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
    };

    @Override
    ChallengeStore store() {
        return store;
    }
}
