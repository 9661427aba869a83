// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for a store of used challenges: no sealed challenge works for two ceremonies.
 *
 * <p>The subject may be shared between tests and need not be empty: every test uses fresh ids.
 */
public interface UsedChallengesContract {
    /** Marks challenges as used, as the store under test does. */
    @FunctionalInterface
    interface Subject {
        /** Marks a challenge as used, and returns whether it was not used before. */
        boolean use(String id, long expiresAt);
    }

    /** The store under test. */
    Subject usedChallenges();

    /** The number of races for one challenge. A store that reads and then writes fails one of the first. */
    default int rounds() {
        return 100;
    }

    @Test
    default void a_challenge_can_be_used_once() {
        Subject used = usedChallenges();
        String id = freshId();
        assertTrue(used.use(id, inAMinute()));
        assertFalse(used.use(id, inAMinute()), "used a second time");
        assertFalse(used.use(id, inAMinute()), "used a third time");
    }

    @Test
    default void of_64_threads_that_use_one_challenge_exactly_one_wins() {
        Subject used = usedChallenges();
        try (Race race = new Race(64)) {
            for (int round = 0; round < rounds(); round++) {
                String id = freshId();
                long expiresAt = inAMinute();
                assertEquals(1, race.run(() -> used.use(id, expiresAt)), "winners in round " + round);
            }
        }
    }

    @Test
    default void of_64_threads_that_use_different_challenges_all_win() {
        Subject used = usedChallenges();
        try (Race race = new Race(64)) {
            for (int round = 0; round < rounds() / 10; round++) {
                long expiresAt = inAMinute();
                assertEquals(64, race.run(() -> used.use(freshId(), expiresAt)), "winners in round " + round);
            }
        }
    }

    @Test
    default void ids_that_differ_in_case_or_in_one_character_are_different() {
        Subject used = usedChallenges();
        String id = "aAzZ" + freshId().substring(4);
        assertTrue(used.use(id, 4_000_000_000_000L));
        assertTrue(used.use(id.toLowerCase(Locale.ROOT), 4_000_000_000_000L), "the id in lower case");
        assertTrue(used.use(id.toUpperCase(Locale.ROOT), 4_000_000_000_000L), "the id in upper case");
        assertTrue(used.use("-" + id.substring(1), 4_000_000_000_000L), "the id with a hyphen");
        assertTrue(used.use("_" + id.substring(1), 4_000_000_000_000L), "the id with an underscore");
    }

    /** Clocks differ: a challenge that has expired here may still be valid on another instance. */
    @Test
    default void a_challenge_that_has_just_expired_is_remembered_too() {
        Subject used = usedChallenges();
        String id = freshId();
        long expiresAt = System.currentTimeMillis() - 1;
        assertTrue(used.use(id, expiresAt));
        assertFalse(used.use(id, expiresAt));
    }

    @Test
    default void a_challenge_of_the_far_future_is_remembered() {
        Subject used = usedChallenges();
        String id = freshId();
        assertTrue(used.use(id, 253_402_300_799_999L));
        assertFalse(used.use(id, 253_402_300_799_999L));
    }

    private static long inAMinute() {
        // Whole minutes, so that two calls for one id agree.
        return (System.currentTimeMillis() / 60_000 + 2) * 60_000;
    }

    private static String freshId() {
        UUID random = UUID.randomUUID();
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(random.getMostSignificantBits())
                .putLong(random.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
