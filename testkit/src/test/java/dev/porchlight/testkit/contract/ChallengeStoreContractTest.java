// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A correct store passes the contract, and stores with typical faults fail. */
@Tag("slow")
class ChallengeStoreContractTest {
    /** A correct store. */
    private static class Sound implements ChallengeSubject {
        final Map<String, Deque<Entry>> outstanding = new ConcurrentHashMap<>();

        @Override
        public synchronized Entry get(String userId) {
            return outstanding.getOrDefault(userId, new ArrayDeque<>()).peekLast();
        }

        @Override
        public synchronized void set(String userId, String challenge, long expiresAt) {
            outstanding.computeIfAbsent(userId, it -> new ArrayDeque<>()).addLast(new Entry(challenge, expiresAt));
        }

        @Override
        public synchronized void clear(String userId) {
            outstanding.remove(userId);
        }

        @Override
        public synchronized Entry take(String userId, String challenge) {
            Deque<Entry> challenges = outstanding.getOrDefault(userId, new ArrayDeque<>());
            List<Entry> all = new ArrayList<>(challenges);
            all.removeIf(it -> !it.challenge().equals(challenge));
            return all.isEmpty() || !challenges.remove(all.get(0)) ? null : all.get(0);
        }
    }

    @Nested
    class SoundStore implements ChallengeStoreContract {
        private final ChallengeSubject store = new Sound();

        @Override
        public ChallengeSubject challenges() {
            return store;
        }
    }

    @Test
    void a_store_that_reads_then_removes_fails() {
        ChallengeStoreContract contract = () -> new Sound() {
            @Override
            @SuppressWarnings({"UnsynchronizedOverridesSynchronized", "ThreadPriorityCheck"}) // the simulated fault
            public Entry take(String userId, String challenge) {
                Entry entry = get(userId);
                if (entry == null || !entry.challenge().equals(challenge)) {
                    return null;
                }
                Thread.yield(); // simulates a database round trip
                clear(userId);
                return entry;
            }
        };
        assertBroken(contract::of_64_threads_that_take_one_challenge_exactly_one_wins);
    }

    @Test
    void a_store_with_one_entry_per_user_fails() {
        ChallengeStoreContract contract = () -> new Sound() {
            @Override
            public synchronized void set(String userId, String challenge, long expiresAt) {
                clear(userId);
                super.set(userId, challenge, expiresAt);
            }
        };
        assertBroken(contract::several_challenges_of_one_user_are_outstanding_at_once);
    }

    @Test
    void a_store_that_never_removes_fails() {
        ChallengeStoreContract contract = () -> new Sound() {
            @Override
            public synchronized Entry take(String userId, String challenge) {
                return outstanding.getOrDefault(userId, new ArrayDeque<>()).stream()
                        .filter(it -> it.challenge().equals(challenge))
                        .findFirst()
                        .orElse(null);
            }
        };
        assertBroken(contract::a_challenge_can_be_taken_once);
    }

    @Test
    void a_store_that_ignores_the_user_fails() {
        ChallengeStoreContract contract = () -> new Sound() {
            @Override
            public synchronized Entry take(String userId, String challenge) {
                return outstanding.keySet().stream()
                        .map(user -> super.take(user, challenge))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
            }
        };
        assertBroken(contract::another_user_cannot_take_a_challenge);
    }

    @Test
    void a_store_that_ignores_case_fails() {
        ChallengeStoreContract contract = () -> new Sound() {
            @Override
            public synchronized void set(String userId, String challenge, long expiresAt) {
                super.set(userId.toLowerCase(java.util.Locale.ROOT), challenge, expiresAt);
            }

            @Override
            public synchronized Entry get(String userId) {
                return super.get(userId.toLowerCase(java.util.Locale.ROOT));
            }
        };
        assertBroken(contract::hostile_user_ids_are_keys_like_any_other);
    }

    @Test
    void a_store_that_rounds_to_seconds_fails() {
        ChallengeStoreContract contract = () -> new Sound() {
            @Override
            public synchronized void set(String userId, String challenge, long expiresAt) {
                super.set(userId, challenge, expiresAt / 1000 * 1000);
            }
        };
        assertBroken(contract::an_expiry_is_returned_unchanged);
    }

    private static void assertBroken(Runnable test) {
        assertThatThrownBy(test::run).isInstanceOf(AssertionError.class);
    }
}
