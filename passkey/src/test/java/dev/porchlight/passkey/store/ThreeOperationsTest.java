// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.ThreeOperations;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The default {@code takeChallenge}, with a store that has only the three operations of the specification. */
class ThreeOperationsTest {
    private final ChallengeStore store = new ThreeOperations();

    @Test
    void a_challenge_is_taken_once() {
        store.setChallenge("alice", "a", 17);

        assertThat(store.takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", 17));
        assertThat(store.takeChallenge("alice", "a")).isNull();
        assertThat(store.getChallenge("alice")).isNull();
    }

    @Test
    void another_challenge_is_not_removed() {
        store.setChallenge("alice", "a", 17);

        assertThat(store.takeChallenge("alice", "b")).isNull();
        assertThat(store.takeChallenge("bob", "a")).isNull();
        assertThat(store.takeChallenge("alice", "a")).isNotNull();
    }

    @Test
    void one_of_64_callers_takes_a_challenge_a_thousand_times() { // T02
        try (var race = new Race(64)) {
            for (int round = 0; round < 1_000; round++) {
                store.setChallenge("alice", "a", 17);

                long got = race.run(() -> store.takeChallenge("alice", "a")).stream()
                        .filter(Objects::nonNull)
                        .count();

                assertThat(got).as("winners in round %d", round).isEqualTo(1);
            }
        }
    }

    @Test
    void a_challenge_that_cannot_be_cleared_is_not_returned() { // T11
        ChallengeStore stuck = new ThreeOperations() {
            @Override
            public void clearChallenge(String userId) {
                throw new IllegalStateException("read only");
            }
        };
        stuck.setChallenge("alice", "a", 17);

        assertThatThrownBy(() -> stuck.takeChallenge("alice", "a")).isInstanceOf(IllegalStateException.class);
    }
}
