// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.porchlight.testkit.contract.CredentialSubject.Row;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for a credential store: no passkey changes its owner and no sign count decreases.
 *
 * <p>The subject may be shared between tests and need not be empty: every test uses new users and ids.
 */
public interface CredentialStoreContract {
    /** The store under test. */
    CredentialSubject credentials();

    /** The number of rounds of each race. */
    default int rounds() {
        return 20;
    }

    @Test
    default void a_passkey_is_returned_as_added() {
        CredentialSubject store = credentials();
        Row row = row(fresh(), fresh(), 4_294_967_295L);
        assertNull(store.find(row.credentialId()));
        assertTrue(store.add(row));
        assertEquals(row, store.find(row.credentialId()));
        assertEquals(List.of(row.credentialId()), store.idsOf(row.userId()));
    }

    @Test
    default void an_id_belongs_to_the_user_who_registered_it_first() {
        CredentialSubject store = credentials();
        Row first = row(fresh(), fresh(), 5);
        Row second = new Row(first.credentialId(), fresh(), "{\"kty\":\"other\"}", 4_294_967_295L);
        assertTrue(store.add(first));
        assertFalse(store.add(second), "registered by another user");
        assertFalse(store.add(first), "registered again");
        assertEquals(first, store.find(first.credentialId()));
        assertEquals(List.of(), store.idsOf(second.userId()));
    }

    @Test
    default void of_16_threads_that_register_one_id_exactly_one_wins() {
        CredentialSubject store = credentials();
        try (Race race = new Race(16)) {
            for (int round = 0; round < rounds(); round++) {
                String id = fresh();
                assertEquals(1, race.run(() -> store.add(row(id, fresh(), 0))), "winners in round " + round);
            }
        }
    }

    @Test
    default void a_sign_count_only_grows() {
        CredentialSubject store = credentials();
        long[][] grows = {{0, 0}, {0, 1}, {5, 6}, {5, 500}, {4_294_967_294L, 4_294_967_295L}};
        long[][] stays = {{5, 5}, {5, 4}, {5, 0}, {1, 1}, {4_294_967_295L, 0}};
        for (long[] pair : grows) {
            Row row = row(fresh(), fresh(), pair[0]);
            store.add(row);
            assertTrue(store.advance(row.credentialId(), pair[1]), () -> pair[1] + " after " + pair[0]);
            assertEquals(row(row.credentialId(), row.userId(), pair[1]), store.find(row.credentialId()));
        }
        for (long[] pair : stays) {
            Row row = row(fresh(), fresh(), pair[0]);
            store.add(row);
            assertFalse(store.advance(row.credentialId(), pair[1]), () -> pair[1] + " after " + pair[0]);
            assertEquals(row, store.find(row.credentialId()));
        }
        assertFalse(store.advance(fresh(), 1), "advanced a passkey that does not exist");
    }

    @Test
    default void of_concurrent_logins_the_greatest_sign_count_stays() {
        CredentialSubject store = credentials();
        try (Race race = new Race(16)) {
            for (int round = 0; round < rounds(); round++) {
                Row row = row(fresh(), fresh(), 0);
                store.add(row);
                AtomicLong count = new AtomicLong();
                race.run(() -> store.advance(row.credentialId(), count.incrementAndGet()));
                assertEquals(row(row.credentialId(), row.userId(), 16), store.find(row.credentialId()));
            }
        }
    }

    @Test
    default void of_16_logins_with_one_sign_count_exactly_one_wins() {
        CredentialSubject store = credentials();
        Row row = row(fresh(), fresh(), 0);
        store.add(row);
        try (Race race = new Race(16)) {
            for (int round = 1; round <= rounds(); round++) {
                long count = round;
                assertEquals(1, race.run(() -> store.advance(row.credentialId(), count)), "winners in round " + round);
            }
        }
    }

    @Test
    default void a_passkey_is_only_removed_for_its_owner() {
        CredentialSubject store = credentials();
        Row mine = row(fresh(), fresh(), 0);
        Row other = row(fresh(), mine.userId(), 0);
        store.add(mine);
        store.add(other);
        assertFalse(store.remove(fresh(), mine.credentialId()));
        assertEquals(mine, store.find(mine.credentialId()));
        assertTrue(store.remove(mine.userId(), mine.credentialId()));
        assertFalse(store.remove(mine.userId(), mine.credentialId()));
        assertNull(store.find(mine.credentialId()));
        assertEquals(List.of(other.credentialId()), store.idsOf(mine.userId()));
    }

    /** 1023 octets are 1364 characters; the two ids differ in the last one. */
    @Test
    default void the_longest_ids_are_distinguished() {
        CredentialSubject store = credentials();
        String longest = fresh() + "A".repeat(1363);
        Row one = row(longest.substring(0, 1363) + "A", fresh(), 1);
        Row two = row(longest.substring(0, 1363) + "B", fresh(), 2);
        assertTrue(store.add(one));
        assertTrue(store.add(two));
        assertEquals(one, store.find(one.credentialId()));
        assertEquals(two, store.find(two.credentialId()));
    }

    @Test
    default void hostile_texts_are_keys_like_any_other() {
        CredentialSubject store = credentials();
        List<String> texts = HostileText.keys(fresh());
        texts.forEach(text -> assertTrue(store.add(row(text, text, text.length())), () -> "added " + text));
        for (String text : texts) {
            assertEquals(row(text, text, text.length()), store.find(text));
            assertEquals(Set.of(text), Set.copyOf(store.idsOf(text)));
        }
    }

    private static Row row(String id, String user, long signCount) {
        return new Row(id, user, "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\",\"y\":\"\"}", signCount);
    }

    private static String fresh() {
        return "fresh-" + UUID.randomUUID();
    }
}
