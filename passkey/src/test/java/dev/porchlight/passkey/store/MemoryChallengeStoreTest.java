// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryChallengeStoreTest extends ShippedStoreContract {
    private final MemoryChallengeStore store = new MemoryChallengeStore(clock);

    @Override
    ChallengeStore store() {
        return store;
    }

    @Override
    long stored() {
        return store.size();
    }

    @Test
    void the_oldest_challenge_is_dropped_above_the_limit() {
        var small = new MemoryChallengeStore(clock, 10);
        for (int i = 0; i < 25; i++) {
            small.setChallenge("~" + i, "c" + i, in(60));
        }

        assertThat(small.size()).isEqualTo(10);
        assertThat(small.takeChallenge("~14", "c14")).isNull();
        assertThat(small.takeChallenge("~15", "c15")).isNotNull();
    }
}
