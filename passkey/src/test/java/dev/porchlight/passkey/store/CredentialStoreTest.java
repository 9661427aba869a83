// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.passkey.store.CredentialStore.Addition;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.CredentialStore.Use;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class CredentialStoreTest {
    private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

    @Parameter
    TestDatabase database;

    private HikariDataSource pool;
    private Sql sql;
    private CredentialStore store;

    @BeforeParameterizedClassInvocation
    void migrate() {
        pool = database.fresh();
        sql = new Sql(pool);
        Migration.run(pool);
        store = new SqlCredentialStore(pool);
    }

    @BeforeEach
    void empty() {
        sql.update("DELETE FROM passkey_credential");
        sql.update("DELETE FROM passkey_user");
    }

    @AfterParameterizedClassInvocation
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void keeps_every_part_of_a_passkey() {
        CredentialRecord full = CredentialRecord.builder("id", "alice", "{jwk}", 0xffff_ffffL, "https://a.example")
                .userHandle("handle")
                .transports(List.of("internal", "hybrid"))
                .backup(true, false)
                .verification(true, false)
                .discoverable(true)
                .aaguid("00000000-0000-0000-0000-000000000001")
                .attestation("packed", "trusted")
                .name("phone")
                .times(NOON, NOON.plusSeconds(1))
                .build();
        CredentialRecord least = passkey("id2", "alice");

        store.add(full, 20);
        store.add(least, 20);

        assertThat(store.find("id")).isEqualTo(full);
        assertThat(store.find("id2")).isEqualTo(least);
        assertThat(store.list("alice")).containsExactlyInAnyOrder(full, least);
        assertThat(store.list("bob")).isEmpty();
        assertThat(store.find("ID")).isNull();
    }

    @Test
    void holds_the_longest_credential_id() {
        String id = "x".repeat(CredentialRecord.MAX_ID_CHARS);

        store.add(passkey(id, "alice"), 20);

        assertThat(store.find(id)).isNotNull();
        assertThatThrownBy(() -> passkey(id + "x", "alice")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reads_a_row_of_five_columns() {
        sql.update("INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                + " VALUES ('five', 'alice', '{jwk}', 7, 'https://a.example')");

        assertThat(store.find("five"))
                .isEqualTo(CredentialRecord.builder("five", "alice", "{jwk}", 7, "https://a.example")
                        .build());
    }

    @Test
    void adds_an_id_once_whoever_brings_it() { // T15
        CredentialRecord first = passkey("id", "alice");
        store.add(first, 20);

        assertThat(store.add(passkey("id", "alice", 9), 20)).isEqualTo(Addition.EXISTS);
        assertThat(store.add(passkey("id", "mallory", 0xffff_ffffL), 20)).isEqualTo(Addition.EXISTS);

        assertThat(store.find("id")).isEqualTo(first);
        assertThat(store.list("mallory")).isEmpty();
    }

    @Test
    void adds_an_id_once_when_many_bring_it_at_once() { // T15
        try (var race = new Race(16)) {
            for (int round = 0; round < 20; round++) {
                String id = "id" + round;
                var user = new AtomicInteger();

                List<Addition> results = race.run(() -> store.add(passkey(id, "u" + user.incrementAndGet()), 20));

                assertThat(Collections.frequency(results, Addition.ADDED)).isEqualTo(1);
                assertThat(Collections.frequency(results, Addition.EXISTS)).isEqualTo(15);
            }
        }
    }

    @Test
    void adds_no_more_than_a_user_may_have_also_when_he_adds_many_at_once() {
        var id = new AtomicInteger();
        try (var race = new Race(16)) {
            List<Addition> results = race.run(() -> store.add(passkey("id" + id.incrementAndGet(), "alice"), 5));

            assertThat(Collections.frequency(results, Addition.ADDED)).isEqualTo(5);
            assertThat(Collections.frequency(results, Addition.TOO_MANY)).isEqualTo(11);
            assertThat(store.list("alice")).hasSize(5);
        }
    }

    @Test
    void says_that_an_id_exists_before_it_says_that_there_are_too_many() {
        store.add(passkey("id", "alice"), 1);

        assertThat(store.add(passkey("id", "alice"), 1)).isEqualTo(Addition.EXISTS);
        assertThat(store.add(passkey("id2", "alice"), 1)).isEqualTo(Addition.TOO_MANY);
        assertThat(store.find("id2")).isNull();
    }

    @Test
    void advances_a_count_that_grows_or_stays_zero_and_no_other() { // T35
        long[][] grows = {{0, 0}, {0, 1}, {5, 6}, {0xffff_fffeL, 0xffff_ffffL}};
        long[][] stays = {{5, 5}, {5, 4}, {5, 0}, {0xffff_ffffL, 0}, {1, 1}};
        for (long[] pair : grows) {
            store.add(passkey("id", "alice", pair[0]), 20);
            assertThat(store.advance("id", use(pair[1]))).isTrue();
            assertThat(store.find("id").signCount()).isEqualTo(pair[1]);
            assertThat(store.find("id").lastUsedAt()).isEqualTo(NOON);
            sql.update("DELETE FROM passkey_credential");
        }
        for (long[] pair : stays) {
            store.add(passkey("id", "alice", pair[0]), 20);
            assertThat(store.advance("id", use(pair[1]))).isFalse();
            assertThat(store.find("id")).isEqualTo(passkey("id", "alice", pair[0]));
            sql.update("DELETE FROM passkey_credential");
        }
        assertThat(store.advance("gone", use(1))).isFalse();
    }

    @Test
    void keeps_the_greatest_count_of_concurrent_logins() { // T35
        try (var race = new Race(16)) {
            for (int round = 0; round < 20; round++) {
                String id = "id" + round;
                store.add(passkey(id, "u" + round), 20);
                var count = new AtomicInteger();

                race.run(() -> store.advance(id, use(count.incrementAndGet())));

                assertThat(store.find(id).signCount()).isEqualTo(16);
            }
        }
    }

    @Test
    void touches_a_passkey_without_lowering_its_count() {
        store.add(passkey("id", "alice", 9), 20);

        assertThat(store.touch("id", use(4))).isTrue();

        CredentialRecord touched = store.find("id");
        assertThat(touched.signCount()).isEqualTo(9);
        assertThat(touched.lastUsedAt()).isEqualTo(NOON);
        assertThat(touched.backupEligible()).isTrue();
        assertThat(touched.backedUp()).isFalse();
        assertThat(store.touch("gone", use(4))).isFalse();
    }

    @Test
    void renames_a_users_own_passkey_only() {
        store.add(passkey("id", "alice"), 20);

        assertThat(store.rename("alice", "id", "phone")).isTrue();
        assertThat(store.rename("bob", "id", "mine now")).isFalse();
        assertThat(store.rename("alice", "gone", "x")).isFalse();

        assertThat(store.find("id").name()).isEqualTo("phone");
    }

    @Test
    void removes_a_users_own_passkey_only_and_the_last_only_when_told() { // T19
        store.add(passkey("id1", "alice"), 20);
        store.add(passkey("id2", "alice"), 20);

        assertThat(store.remove("bob", "id1", true)).isEqualTo(Removal.NOT_FOUND);
        assertThat(store.remove("alice", "gone", true)).isEqualTo(Removal.NOT_FOUND);
        assertThat(store.remove("alice", "id1", false)).isEqualTo(Removal.REMOVED);
        assertThat(store.remove("alice", "id2", false)).isEqualTo(Removal.LAST);
        assertThat(store.find("id2")).isNotNull();
        assertThat(store.remove("alice", "id2", true)).isEqualTo(Removal.REMOVED);
        assertThat(store.list("alice")).isEmpty();
    }

    @Test
    void leaves_one_passkey_when_all_are_removed_at_once() { // T19
        try (var race = new Race(8)) {
            for (int round = 0; round < 20; round++) {
                String user = "u" + round;
                for (int i = 1; i <= 8; i++) {
                    store.add(passkey(user + "-" + i, user), 20);
                }
                var id = new AtomicInteger();

                List<Removal> results = race.run(() -> store.remove(user, user + "-" + id.incrementAndGet(), false));

                assertThat(Collections.frequency(results, Removal.LAST)).isEqualTo(1);
                assertThat(store.list(user)).hasSize(1);
            }
        }
    }

    @Test
    void gives_a_user_one_handle_for_good() {
        assertThat(store.user("alice")).isNull();

        UserRecord first = store.enroll(new UserRecord("alice", "h1", null, "Alice"));
        UserRecord second = store.enroll(new UserRecord("alice", "h2", "alice@a.example", null));

        assertThat(first).isEqualTo(new UserRecord("alice", "h1", null, "Alice"));
        assertThat(second).isEqualTo(new UserRecord("alice", "h1", "alice@a.example", "Alice"));
        assertThat(store.user("alice")).isEqualTo(second);
    }

    @Test
    void gives_a_user_one_handle_when_he_enrolls_many_times_at_once() {
        try (var race = new Race(16)) {
            var handle = new AtomicInteger();

            List<UserRecord> results =
                    race.run(() -> store.enroll(new UserRecord("alice", "h" + handle.incrementAndGet(), null, null)));

            assertThat(results.stream().map(UserRecord::userHandle).distinct()).hasSize(1);
        }
    }

    @Test
    void gives_a_handle_to_a_user_whose_passkeys_were_imported() {
        store.add(passkey("id", "alice"), 20);
        assertThat(store.user("alice")).isNull();

        assertThat(store.enroll(new UserRecord("alice", "h1", null, null)).userHandle())
                .isEqualTo("h1");
    }

    @Test
    void works_with_connections_that_do_not_commit_by_themselves() {
        try (HikariDataSource manual = new HikariDataSource()) {
            manual.setJdbcUrl(pool.getJdbcUrl());
            manual.setAutoCommit(false);
            Migration.run(manual);
            var other = new SqlCredentialStore(manual);

            other.enroll(new UserRecord("alice", "h", null, null));
            other.add(passkey("id", "alice"), 20);
            other.advance("id", use(3));

            assertThat(other.find("id").signCount()).isEqualTo(3);
            assertThat(other.user("alice")).isNotNull();
        }
    }

    @Test
    void fails_aloud_when_the_database_is_gone() { // T11
        HikariDataSource gone = database.fresh();
        var lost = new SqlCredentialStore(gone);
        gone.close();

        assertThatThrownBy(() -> lost.find("id")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> lost.add(passkey("id", "alice"), 20)).isInstanceOf(StorageException.class);
    }

    private static CredentialRecord passkey(String id, String userId) {
        return passkey(id, userId, 0);
    }

    private static CredentialRecord passkey(String id, String userId, long signCount) {
        return CredentialRecord.builder(id, userId, "{jwk}", signCount, "https://a.example")
                .build();
    }

    private static Use use(long signCount) {
        return new Use(signCount, NOON, true, false);
    }
}
