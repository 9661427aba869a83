// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SealedEntriesTest {
    private static final String SECRET = "a secret that is long enough to be one";

    private final AtomicLong now = new AtomicLong(1_000);
    private final Database database = TestDatabase.SQLITE.open(1);
    private final SqlSealedEntries table = new SqlSealedEntries(database.sql(), Clock.systemUTC());
    private final SealedEntries entries = entries(SECRET);

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_stored_entry_is_found_and_removed_once() {
        table.put(entries.seal("session", "id", "ada", "content", 2_000));

        assertThat(entries.find("session", "id").content()).isEqualTo("content");
        String key = entries.keyOf("session", "id");
        assertThat(entries.remove("session", key)).isTrue();
        assertThat(entries.remove("session", key)).isFalse();
        assertThat(entries.find("session", "id")).isNull();
    }

    @Test
    void entries_of_one_kind_are_not_found_under_another() {
        table.put(entries.seal("session", "id", "ada", "content", 2_000));

        assertThat(entries.find("enrollment", "id")).isNull();
        assertThat(entries.ofOwner("enrollment", "ada")).isEmpty();
    }

    @Test
    void an_expired_entry_is_not_found() {
        table.put(entries.seal("session", "id", "ada", "content", 2_000));
        now.set(2_000);

        assertThat(entries.find("session", "id")).isNull();
        assertThat(entries.ofOwner("session", "ada")).isEmpty();
    }

    @Test
    void ids_owners_and_contents_are_not_stored_as_plain_text() {
        table.put(entries.seal("session", "the-id", "ada", "the-content", 2_000));

        assertThat(entry("the-id").toString()).doesNotContain("the-id", "ada", "the-content");
    }

    @Test
    void a_row_that_was_changed_moved_or_extended_does_not_open() {
        table.put(entries.seal("session", "id", "ada", "content", 2_000));
        SealedEntry row = entry("id");

        table.put(new SealedEntry(row.kind(), row.key(), row.owner(), row.sealed(), 9_000));
        assertThat(entries.find("session", "id")).as("prolonged").isNull();

        table.put(new SealedEntry(row.kind(), row.key(), "another user", row.sealed(), row.expiresAt()));
        assertThat(entries.find("session", "id")).as("given to another").isNull();

        char last = row.sealed().charAt(3) == 'A' ? 'B' : 'A';
        String flipped = row.sealed().substring(0, 3) + last + row.sealed().substring(4);
        table.put(new SealedEntry(row.kind(), row.key(), row.owner(), flipped, row.expiresAt()));
        assertThat(entries.find("session", "id")).as("changed").isNull();
    }

    @Test
    void another_secret_opens_nothing() {
        table.put(entries.seal("session", "id", "ada", "content", 2_000));

        assertThat(entries(SECRET + "!").find("session", "id")).isNull();
    }

    @Test
    void a_short_secret_is_refused() {
        assertThatThrownBy(() -> entries("short")).hasMessageContaining("at least 32 bytes");
    }

    @Test
    void sweeping_removes_expired_entries_only() {
        table.put(entries.seal("session", "old", "ada", "content", 1_500));
        table.put(entries.seal("session", "new", "ada", "content", 2_000));
        now.set(1_600);

        assertThat(entries.sweep()).isEqualTo(1);
        assertThat(entries.ofOwner("session", "ada")).hasSize(1);
    }

    private SealedEntry entry(String id) {
        return table.find("session", entries.keyOf("session", id));
    }

    private SealedEntries entries(String secret) {
        return new SealedEntries(
                new DerivedKeys(secret), table, () -> Instant.ofEpochMilli(now.get()), new SecureRandom());
    }
}
