// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.ThreeOperations;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The default way of spending, over a store that has the three operations of the specification and no more. */
class ThreeOperationsTest {
    private final ChallengeStore store = new ThreeOperations();

    @Test
    void spends_a_challenge_once() {
        store.setChallenge("alice", "a", 17);

        assertThat(store.takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", 17));
        assertThat(store.takeChallenge("alice", "a")).isNull();
        assertThat(store.getChallenge("alice")).isNull();
    }

    @Test
    void leaves_a_challenge_alone_that_was_not_named() {
        store.setChallenge("alice", "a", 17);

        assertThat(store.takeChallenge("alice", "b")).isNull();
        assertThat(store.takeChallenge("bob", "a")).isNull();
        assertThat(store.takeChallenge("alice", "a")).isNotNull();
    }

    @Test
    void lets_one_of_64_callers_have_a_challenge_a_thousand_times() { // T02
        try (var race = new Race(64)) {
            for (int round = 0; round < 1_000; round++) {
                store.setChallenge("alice", "a", 17);

                long got = race.run(() -> store.takeChallenge("alice", "a")).stream()
                        .filter(Objects::nonNull)
                        .count();

                assertThat(got).as("callers who got it in round %d", round).isEqualTo(1);
            }
        }
    }

    @Test
    void gives_nothing_that_it_could_not_clear() { // T11
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
