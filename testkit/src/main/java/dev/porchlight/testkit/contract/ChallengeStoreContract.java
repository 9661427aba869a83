// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.porchlight.testkit.contract.ChallengeSubject.Entry;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for a challenge store: no challenge works for two ceremonies.
 *
 * <p>The subject may be shared between tests and need not be empty: every test uses new users.
 */
public interface ChallengeStoreContract {
    /** The store under test. */
    ChallengeSubject challenges();

    /** The number of races for one challenge. A store that reads and then removes fails one of the first. */
    default int rounds() {
        return 100;
    }

    @Test
    default void a_challenge_can_be_taken_once() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        store.set(user, "c-1", 4_000_000_000_000L);
        assertEquals(new Entry("c-1", 4_000_000_000_000L), store.take(user, "c-1"));
        assertNull(store.take(user, "c-1"), "taken a second time");
        assertNull(store.get(user), "still stored after it was taken");
    }

    @Test
    default void of_64_threads_that_take_one_challenge_exactly_one_wins() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        try (Race race = new Race(64)) {
            for (int round = 0; round < rounds(); round++) {
                String challenge = "round-" + round;
                store.set(user, challenge, 4_000_000_000_000L);
                long winners = race.run(() -> store.take(user, challenge) != null);
                assertEquals(1, winners, "winners in round " + round);
            }
        }
    }

    @Test
    default void several_challenges_of_one_user_are_outstanding_at_once() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        List<String> challenges = List.of("first", "second", "third", "fourth");
        challenges.forEach(it -> store.set(user, it, 4_000_000_000_000L));
        for (String challenge : challenges) {
            assertNotNull(store.take(user, challenge), challenge + " was displaced by a later one");
        }
    }

    @Test
    default void taking_one_challenge_leaves_the_others() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        store.set(user, "kept", 4_000_000_000_000L);
        store.set(user, "taken", 4_000_000_000_000L);
        store.take(user, "taken");
        assertEquals(new Entry("kept", 4_000_000_000_000L), store.get(user));
    }

    @Test
    default void get_shows_a_challenge_and_leaves_it() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        assertNull(store.get(user), "nothing was stored for this user");
        store.set(user, "shown", 4_000_000_000_000L);
        assertEquals(new Entry("shown", 4_000_000_000_000L), store.get(user));
        assertEquals(new Entry("shown", 4_000_000_000_000L), store.get(user));
        assertNotNull(store.take(user, "shown"));
    }

    @Test
    default void clear_removes_all_challenges_of_one_user_only() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        String neighbor = freshUser();
        store.set(user, "one", 4_000_000_000_000L);
        store.set(user, "two", 4_000_000_000_000L);
        store.set(neighbor, "theirs", 4_000_000_000_000L);
        store.clear(user);
        store.clear(user);
        assertNull(store.get(user));
        assertNull(store.take(user, "one"));
        assertNull(store.take(user, "two"));
        assertNotNull(store.take(neighbor, "theirs"));
    }

    /** The relying party checks the expiry, so the store must return it unchanged, to the millisecond. */
    @Test
    default void an_expiry_is_returned_unchanged() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        long soon = System.currentTimeMillis() + 60_000;
        for (long expiresAt : new long[] {soon, soon + 1, 4_102_444_799_999L, 253_402_300_799_999L}) {
            store.set(user, "c-" + expiresAt, expiresAt);
            assertEquals(new Entry("c-" + expiresAt, expiresAt), store.take(user, "c-" + expiresAt));
        }
    }

    @Test
    default void another_user_cannot_take_a_challenge() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        String other = freshUser();
        store.set(user, "mine", 4_000_000_000_000L);
        store.set(other, "theirs", 4_000_000_000_000L);
        assertNull(store.take(other, "mine"));
        assertNull(store.take(user, "theirs"));
        assertNotNull(store.take(user, "mine"), "lost to another user's attempt");
    }

    @Test
    default void a_challenge_that_was_never_set_cannot_be_taken() {
        ChallengeSubject store = challenges();
        String user = freshUser();
        assertNull(store.take(user, "never-set"));
        store.set(user, "set", 4_000_000_000_000L);
        for (String near : List.of("", "se", "sett", "SET", "set ", " set", "%", "s_t", "*", "set\u0000")) {
            assertNull(store.take(user, near), "taken by the name \"" + near + "\"");
        }
        assertNotNull(store.take(user, "set"), "lost to a wrong attempt");
    }

    /** User ids are opaque: none may match another user's challenge or break the store. */
    @Test
    default void hostile_user_ids_are_keys_like_any_other() {
        ChallengeSubject store = challenges();
        String base = freshUser();
        List<String> users = HostileText.keys(base);
        for (String user : users) {
            store.set(user, "for " + user.length() + " " + user.hashCode(), 4_000_000_000_000L);
        }
        for (String user : users) {
            String challenge = "for " + user.length() + " " + user.hashCode();
            assertEquals(new Entry(challenge, 4_000_000_000_000L), store.get(user), () -> "got for " + user);
            assertNotNull(store.take(user, challenge), () -> "taken for " + user);
            assertNull(store.take(user, challenge), () -> "taken again for " + user);
        }
    }

    private static String freshUser() {
        return "user-" + UUID.randomUUID();
    }
}
