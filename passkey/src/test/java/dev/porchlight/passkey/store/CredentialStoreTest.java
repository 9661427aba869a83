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
    void every_value_of_a_passkey_is_stored() {
        CredentialRecord full = CredentialRecord.of("id", "alice", "{jwk}", 0xffff_ffffL, "https://a.example")
                .withUserHandle("handle")
                .withAuthenticator(new CredentialRecord.Authenticator(
                        List.of("internal", "hybrid"), "00000000-0000-0000-0000-000000000001", "packed", "trusted"))
                .withFlags(new CredentialRecord.Flags(true, false, true, false, true))
                .withDetails(new CredentialRecord.Details("phone", NOON, NOON.plusSeconds(1)));
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
    void the_longest_credential_id_is_stored() {
        String id = "x".repeat(CredentialRecord.MAX_ID_CHARS);

        store.add(passkey(id, "alice"), 20);

        assertThat(store.find(id)).isNotNull();
        assertThatThrownBy(() -> passkey(id + "x", "alice")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_row_with_five_columns_is_readable() {
        sql.update("INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                + " VALUES ('five', 'alice', '{jwk}', 7, 'https://a.example')");

        assertThat(store.find("five")).isEqualTo(CredentialRecord.of("five", "alice", "{jwk}", 7, "https://a.example"));
    }

    @Test
    void an_id_is_added_once_for_any_user() { // T15
        CredentialRecord first = passkey("id", "alice");
        store.add(first, 20);

        assertThat(store.add(passkey("id", "alice", 9), 20)).isEqualTo(Addition.EXISTS);
        assertThat(store.add(passkey("id", "mallory", 0xffff_ffffL), 20)).isEqualTo(Addition.EXISTS);

        assertThat(store.find("id")).isEqualTo(first);
        assertThat(store.list("mallory")).isEmpty();
    }

    @Test
    void an_id_is_added_once_by_concurrent_callers() { // T15
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
    void concurrent_additions_stay_within_the_limit() {
        var id = new AtomicInteger();
        try (var race = new Race(16)) {
            List<Addition> results = race.run(() -> store.add(passkey("id" + id.incrementAndGet(), "alice"), 5));

            assertThat(Collections.frequency(results, Addition.ADDED)).isEqualTo(5);
            assertThat(Collections.frequency(results, Addition.TOO_MANY)).isEqualTo(11);
            assertThat(store.list("alice")).hasSize(5);
        }
    }

    @Test
    void a_known_id_is_reported_before_the_limit() {
        store.add(passkey("id", "alice"), 1);

        assertThat(store.add(passkey("id", "alice"), 1)).isEqualTo(Addition.EXISTS);
        assertThat(store.add(passkey("id2", "alice"), 1)).isEqualTo(Addition.TOO_MANY);
        assertThat(store.find("id2")).isNull();
    }

    @Test
    void only_a_count_that_grows_or_stays_zero_is_advanced() { // T35
        long[][] grows = {{0, 0}, {0, 1}, {5, 6}, {0xffff_fffeL, 0xffff_ffffL}};
        long[][] stays = {{5, 5}, {5, 4}, {5, 0}, {0xffff_ffffL, 0}, {1, 1}};
        for (long[] pair : grows) {
            store.add(passkey("id", "alice", pair[0]), 20);
            assertThat(store.advance("id", use(pair[1]))).isTrue();
            assertThat(store.find("id").signCount()).isEqualTo(pair[1]);
            assertThat(store.find("id").details().lastUsedAt()).isEqualTo(NOON);
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
    void concurrent_logins_keep_the_greatest_count() { // T35
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
    void touching_a_passkey_does_not_lower_its_count() {
        store.add(passkey("id", "alice", 9), 20);

        assertThat(store.touch("id", use(4))).isTrue();

        CredentialRecord touched = store.find("id");
        assertThat(touched.signCount()).isEqualTo(9);
        assertThat(touched.details().lastUsedAt()).isEqualTo(NOON);
        assertThat(touched.backupEligible()).isTrue();
        assertThat(touched.flags().backedUp()).isFalse();
        assertThat(store.touch("gone", use(4))).isFalse();
    }

    @Test
    void only_the_owner_can_rename_a_passkey() {
        store.add(passkey("id", "alice"), 20);

        assertThat(store.rename("alice", "id", "phone")).isTrue();
        assertThat(store.rename("bob", "id", "mine now")).isFalse();
        assertThat(store.rename("alice", "gone", "x")).isFalse();

        assertThat(store.find("id").details().name()).isEqualTo("phone");
    }

    @Test
    void only_the_owner_can_remove_a_passkey_and_the_last_one_needs_a_flag() { // T19
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
    void concurrent_removals_leave_one_passkey() { // T19
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
    void the_handle_of_a_user_never_changes() {
        assertThat(store.user("alice")).isNull();

        UserRecord first = store.enroll(new UserRecord("alice", "h1", null, "Alice"));
        UserRecord second = store.enroll(new UserRecord("alice", "h2", "alice@a.example", null));

        assertThat(first).isEqualTo(new UserRecord("alice", "h1", null, "Alice"));
        assertThat(second).isEqualTo(new UserRecord("alice", "h1", "alice@a.example", "Alice"));
        assertThat(store.user("alice")).isEqualTo(second);
    }

    @Test
    void concurrent_enrollments_of_a_user_share_one_handle() {
        try (var race = new Race(16)) {
            var handle = new AtomicInteger();

            List<UserRecord> results =
                    race.run(() -> store.enroll(new UserRecord("alice", "h" + handle.incrementAndGet(), null, null)));

            assertThat(results.stream().map(UserRecord::userHandle).distinct()).hasSize(1);
        }
    }

    @Test
    void a_user_with_imported_passkeys_gets_a_handle() {
        store.add(passkey("id", "alice"), 20);
        assertThat(store.user("alice")).isNull();

        assertThat(store.enroll(new UserRecord("alice", "h1", null, null)).userHandle())
                .isEqualTo("h1");
    }

    @Test
    void connections_without_auto_commit_work() {
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
    void a_missing_database_is_a_storage_exception() { // T11
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
        return CredentialRecord.of(id, userId, "{jwk}", signCount, "https://a.example");
    }

    private static Use use(long signCount) {
        return new Use(signCount, NOON, true, false);
    }
}
