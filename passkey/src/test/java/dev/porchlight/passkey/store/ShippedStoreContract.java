// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.TestClock;
import dev.porchlight.testkit.contract.ChallengeStoreContract;
import dev.porchlight.testkit.contract.ChallengeSubject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract of the shipped stores: the testkit's contract, limits and sweeping. */
abstract class ShippedStoreContract implements ChallengeStoreContract {
    final TestClock clock = new TestClock();

    abstract ChallengeStore store();

    abstract long stored();

    long in(long seconds) {
        return clock.millis() + seconds * 1_000;
    }

    @Override
    public ChallengeSubject challenges() {
        return new Subject(store());
    }

    private record Subject(ChallengeStore store) implements ChallengeSubject {
        @Override
        public Entry get(String userId) {
            return entry(store.getChallenge(userId));
        }

        @Override
        public void set(String userId, String challenge, long expiresAt) {
            store.setChallenge(userId, challenge, expiresAt);
        }

        @Override
        public void clear(String userId) {
            store.clearChallenge(userId);
        }

        @Override
        public Entry take(String userId, String challenge) {
            return entry(store.takeChallenge(userId, challenge));
        }

        private static Entry entry(StoredChallenge stored) {
            return stored == null ? null : new Entry(stored.challenge(), stored.expiresAt());
        }
    }

    @Test
    void an_expired_challenge_is_returned() {
        store().setChallenge("alice", "a", in(-1));

        assertThat(store().takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", in(-1)));
    }

    @Test
    void several_challenges_of_one_user_are_kept() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("alice", "b", in(61));

        assertThat(store().getChallenge("alice")).isEqualTo(new StoredChallenge("b", in(61)));
        assertThat(store().takeChallenge("alice", "a")).isNotNull();
        assertThat(store().takeChallenge("alice", "b")).isNotNull();
        assertThat(stored()).isZero();
    }

    @Test
    void a_challenge_set_twice_is_stored_once() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("alice", "a", in(90));

        assertThat(stored()).isEqualTo(1);
        assertThat(store().takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", in(90)));
    }

    @Test
    void a_challenge_survives_255_later_ones() { // T04
        store().setChallenge("alice", "hers", in(60));
        for (int i = 1; i < MemoryChallengeStore.PER_USER; i++) {
            store().setChallenge("alice", "stranger-" + i, in(60) + i);
        }
        assertThat(stored()).isEqualTo(MemoryChallengeStore.PER_USER);

        store().setChallenge("alice", "one more", in(61));

        assertThat(stored()).isEqualTo(MemoryChallengeStore.PER_USER);
        assertThat(store().takeChallenge("alice", "hers")).isNull();
        assertThat(store().takeChallenge("alice", "stranger-1")).isNotNull();
    }

    @Test
    void storing_a_challenge_sweeps_expired_ones() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("~b", "b", in(60));

        clock.advance(Duration.ofSeconds(110));
        store().setChallenge("carol", "c", in(60));
        assertThat(stored()).as("recently expired").isEqualTo(3);

        clock.advance(Duration.ofSeconds(11));
        store().setChallenge("dave", "d", in(60));
        assertThat(stored()).as("expired more than a minute ago").isEqualTo(2);
    }
}
