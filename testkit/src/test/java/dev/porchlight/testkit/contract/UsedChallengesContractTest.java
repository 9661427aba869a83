// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A correct store passes the contract, and stores with typical faults fail. */
@Tag("slow")
class UsedChallengesContractTest {
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    @Nested
    class SoundStore implements UsedChallengesContract {
        @Override
        public Subject usedChallenges() {
            return (id, expiresAt) -> used.add(id);
        }
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the simulated fault
    void a_store_that_reads_then_writes_fails() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> {
            boolean free = !used.contains(id);
            Thread.yield(); // simulates a database round trip
            used.add(id);
            return free;
        };
        assertBroken(contract::of_64_threads_that_use_one_challenge_exactly_one_wins);
    }

    @Test
    void a_store_that_forgets_fails() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> true;
        assertBroken(contract::a_challenge_can_be_used_once);
    }

    @Test
    void a_store_that_forgets_expired_challenges_at_once_fails() {
        UsedChallengesContract contract =
                () -> (id, expiresAt) -> expiresAt < System.currentTimeMillis() || used.add(id);
        assertBroken(contract::a_challenge_that_has_just_expired_is_remembered_too);
    }

    @Test
    void a_store_that_refuses_everything_fails() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> false;
        assertBroken(contract::of_64_threads_that_use_different_challenges_all_win);
    }

    @Test
    void a_store_that_ignores_case_fails() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> used.add(id.toLowerCase(Locale.ROOT));
        assertBroken(contract::ids_that_differ_in_case_or_in_one_character_are_different);
    }

    private static void assertBroken(Runnable test) {
        assertThatThrownBy(test::run).isInstanceOf(AssertionError.class);
    }
}
