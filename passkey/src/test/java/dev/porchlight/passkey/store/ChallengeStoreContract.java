// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.TestClock;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What every challenge store must do, also one of three operations. */
abstract class ChallengeStoreContract {
    static final int ROUNDS = 1_000;
    static final int THREADS = 64;

    final TestClock clock = new TestClock();

    abstract ChallengeStore store();

    @Test
    void knows_no_challenge_that_was_not_stored() {
        assertThat(store().getChallenge("alice")).isNull();
        assertThat(store().takeChallenge("alice", "a")).isNull();
    }

    @Test
    void gives_back_what_was_stored() {
        store().setChallenge("alice", "a", in(60));

        assertThat(store().getChallenge("alice")).isEqualTo(new StoredChallenge("a", in(60)));
        assertThat(store().takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", in(60)));
    }

    @Test
    void refuses_a_challenge_that_was_already_taken() {
        store().setChallenge("alice", "a", in(60));
        store().takeChallenge("alice", "a");

        assertThat(store().takeChallenge("alice", "a")).isNull();
        assertThat(store().getChallenge("alice")).isNull();
    }

    @Test
    void leaves_a_challenge_alone_that_was_not_named() {
        store().setChallenge("alice", "a", in(60));

        assertThat(store().takeChallenge("alice", "b")).isNull();
        assertThat(store().takeChallenge("bob", "a")).isNull();
        assertThat(store().takeChallenge("alice", "a")).isNotNull();
    }

    @Test
    void clears_a_users_challenges_and_no_other() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("bob", "b", in(60));

        store().clearChallenge("alice");
        store().clearChallenge("nobody");

        assertThat(store().getChallenge("alice")).isNull();
        assertThat(store().takeChallenge("alice", "a")).isNull();
        assertThat(store().takeChallenge("bob", "b")).isNotNull();
    }

    @Test
    void gives_an_expired_challenge_back_for_the_service_to_judge() {
        store().setChallenge("alice", "a", in(-1));

        assertThat(store().takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", in(-1)));
    }

    @Test
    void keeps_long_and_foreign_user_ids_apart() {
        String longest = "é".repeat(256);
        store().setChallenge(longest, "a", in(60));
        store().setChallenge("é".repeat(255) + "e", "b", in(60));

        assertThat(store().getChallenge(longest)).isEqualTo(new StoredChallenge("a", in(60)));
    }

    @Test
    void lets_one_of_64_callers_have_a_challenge_a_thousand_times() { // P02
        ChallengeStore store = store();
        try (var race = new Race(THREADS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String challenge = "challenge-" + round;
                store.setChallenge("alice", challenge, in(60));

                long got = race.run(() -> store.takeChallenge("alice", challenge)).stream()
                        .filter(Objects::nonNull)
                        .count();

                assertThat(got).as("callers who got it in round %d", round).isEqualTo(1);
            }
        }
    }

    long in(long seconds) {
        return clock.millis() + seconds * 1_000;
    }
}
