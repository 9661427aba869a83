// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.TestClock;
import dev.porchlight.testkit.contract.ChallengeStoreContract;
import dev.porchlight.testkit.contract.ChallengeSubject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the stores shipped here promise: the kit's contract, bounds, and that the expired are swept. */
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
    void gives_an_expired_challenge_back_for_the_service_to_judge() {
        store().setChallenge("alice", "a", in(-1));

        assertThat(store().takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", in(-1)));
    }

    @Test
    void keeps_several_challenges_of_one_user() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("alice", "b", in(61));

        assertThat(store().getChallenge("alice")).isEqualTo(new StoredChallenge("b", in(61)));
        assertThat(store().takeChallenge("alice", "a")).isNotNull();
        assertThat(store().takeChallenge("alice", "b")).isNotNull();
        assertThat(stored()).isZero();
    }

    @Test
    void stores_a_challenge_once_however_often_it_is_set() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("alice", "a", in(90));

        assertThat(stored()).isEqualTo(1);
        assertThat(store().takeChallenge("alice", "a")).isEqualTo(new StoredChallenge("a", in(90)));
    }

    @Test
    void keeps_a_challenge_while_strangers_ask_255_times_and_no_longer() { // T04
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
    void sweeps_what_is_long_expired_when_something_is_stored() {
        store().setChallenge("alice", "a", in(60));
        store().setChallenge("~b", "b", in(60));

        clock.advance(Duration.ofSeconds(110));
        store().setChallenge("carol", "c", in(60));
        assertThat(stored()).as("expired, but not for long").isEqualTo(3);

        clock.advance(Duration.ofSeconds(11));
        store().setChallenge("dave", "d", in(60));
        assertThat(stored()).as("expired for more than a minute").isEqualTo(2);
    }
}
