// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.support.Patience;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests share a store, because each uses new owners. */
@ParameterizedClass
@EnumSource
class SqlSealedEntriesTest {
    @Parameter
    TestDatabase engine;

    private static Database database;
    private static SqlSealedEntries entries;

    @BeforeParameterizedClassInvocation
    static void open(TestDatabase engine) {
        database = TestDatabase.open(engine.freshUrl(), 8);
        database.migrate(Patience.LIMIT);
        entries = new SqlSealedEntries(database.sql(), Clock.systemUTC());
    }

    @AfterParameterizedClassInvocation
    static void close() {
        if (database != null) {
            database.close();
        }
    }

    private final String owner = "owner " + UUID.randomUUID();
    private final String other = "other " + UUID.randomUUID();

    @Test
    void a_stored_entry_is_found_unchanged() {
        SealedEntry entry = put("a", owner, 5_000);

        assertThat(entries.find("kind", entry.key())).isEqualTo(entry);
        assertThat(entries.find("kind", entry.key())).isEqualTo(entry);
        assertThat(entries.find("another kind", entry.key())).isNull();
        assertThat(entries.find("kind", "unknown " + owner)).isNull();
    }

    @Test
    void an_entry_replaces_one_with_its_key() {
        put("a", owner, 5_000);
        SealedEntry replacement = put("a", other, 6_000);

        assertThat(entries.find("kind", replacement.key())).isEqualTo(replacement);
        assertThat(entries.ofOwner("kind", owner)).isEmpty();
        assertThat(entries.ofOwner("kind", other)).containsExactly(replacement);
    }

    @Test
    void a_taken_entry_is_removed() {
        SealedEntry entry = put("a", owner, 5_000);

        assertThat(entries.take("another kind", entry.key())).isNull();
        assertThat(entries.take("kind", entry.key())).isEqualTo(entry);
        assertThat(entries.take("kind", entry.key())).isNull();
        assertThat(entries.find("kind", entry.key())).isNull();
        assertThat(entries.ofOwner("kind", owner)).isEmpty();
    }

    @Test
    void T02_one_of_64_concurrent_takes_succeeds() throws Exception {
        for (int round = 0; round < 10; round++) {
            SealedEntry entry = put("round " + round, owner, 5_000);

            List<Boolean> got = Together.times(64, () -> Objects.nonNull(entries.take("kind", entry.key())));

            assertThat(got).containsOnlyOnce(true);
        }
    }

    @Test
    void an_owner_has_only_their_own_entries_newest_first() throws Exception {
        SealedEntry first = put("a", owner, 5_000);
        Thread.sleep(2); // entries of the same millisecond are unordered
        SealedEntry second = put("b", owner, 5_000);
        put("c", other, 5_000);

        assertThat(entries.ofOwner("kind", owner)).containsExactly(second, first);
        var unused = database.sql().transaction("remove the entries of an owner", connection -> {
            SqlSealedEntries.removeOwner(connection, "kind", owner);
            return true;
        });
        assertThat(entries.ofOwner("kind", owner)).isEmpty();
        assertThat(entries.ofOwner("kind", other)).hasSize(1);
    }

    @Test
    void entries_are_limited_per_owner() throws Exception {
        put("theirs", other, 5_000);
        SealedEntry oldest = put("oldest", owner, 5_000);
        Thread.sleep(2);
        for (int i = 0; i < 3 * SqlSealedEntries.PER_OWNER; i++) {
            put("n" + i, owner, 5_000);
        }

        assertThat(entries.find("kind", oldest.key())).isNull();
        assertThat(entries.ofOwner("kind", owner))
                .hasSizeBetween(SqlSealedEntries.PER_OWNER, 2 * SqlSealedEntries.PER_OWNER);
        assertThat(entries.ofOwner("kind", other)).hasSize(1);
    }

    @Test
    void replacing_an_entry_at_the_limit_removes_no_other() {
        for (int i = 0; i < SqlSealedEntries.PER_OWNER; i++) {
            put("n" + i, owner, 5_000);
        }
        for (int i = 0; i < SqlSealedEntries.PER_OWNER; i++) {
            put("n" + i, owner, 6_000);
        }

        assertThat(entries.ofOwner("kind", owner)).hasSize(SqlSealedEntries.PER_OWNER);
    }

    @Test
    void sweeping_removes_only_expired_entries() {
        SealedEntry past = put("past", owner, 1_000);
        SealedEntry present = put("present", owner, 2_000);

        entries.sweep(2_000);

        assertThat(entries.find("kind", past.key())).isNull();
        assertThat(entries.find("kind", present.key())).isEqualTo(present);
    }

    private SealedEntry put(String name, String whose, long expiresAt) {
        var entry = new SealedEntry("kind", name + " of " + owner, whose, "sealed " + name, expiresAt);
        entries.put(entry);
        return entry;
    }
}
