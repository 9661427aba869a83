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
    void holds_no_more_than_its_bound_and_drops_the_oldest() {
        var small = new MemoryChallengeStore(clock, 10);
        for (int i = 0; i < 25; i++) {
            small.setChallenge("~" + i, "c" + i, in(60));
        }

        assertThat(small.size()).isEqualTo(10);
        assertThat(small.takeChallenge("~14", "c14")).isNull();
        assertThat(small.takeChallenge("~15", "c15")).isNotNull();
    }
}
