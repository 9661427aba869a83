// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract passes a store that keeps it, and fails each of those that break it in the usual ways. */
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
    @SuppressWarnings("ThreadPriorityCheck") // the fault that is shown
    void fails_a_store_that_looks_first_and_marks_later() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> {
            boolean free = !used.contains(id);
            Thread.yield(); // the time it takes to the database and back
            used.add(id);
            return free;
        };
        assertBroken(contract::of_64_threads_that_use_one_challenge_exactly_one_wins);
    }

    @Test
    void fails_a_store_that_forgets() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> true;
        assertBroken(contract::a_challenge_can_be_used_once);
    }

    @Test
    void fails_a_store_that_forgets_as_soon_as_a_challenge_expires() {
        UsedChallengesContract contract =
                () -> (id, expiresAt) -> expiresAt < System.currentTimeMillis() || used.add(id);
        assertBroken(contract::a_challenge_that_has_just_expired_is_remembered_too);
    }

    @Test
    void fails_a_store_that_refuses_all() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> false;
        assertBroken(contract::of_64_threads_that_use_different_challenges_all_win);
    }

    @Test
    void fails_a_store_that_ignores_case() {
        UsedChallengesContract contract = () -> (id, expiresAt) -> used.add(id.toLowerCase(Locale.ROOT));
        assertBroken(contract::ids_that_differ_in_case_or_in_one_character_are_different);
    }

    private static void assertBroken(Runnable test) {
        assertThatThrownBy(test::run).isInstanceOf(AssertionError.class);
    }
}
