// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.StorageFault;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.passkey.store.CredentialStore.Addition;
import dev.porchlight.support.Patience;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The differences between MySQL and the other databases that the contracts of the stores do not cover. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MySqlDialectTest {
    private HikariDataSource pool;
    private Sql sql;
    private CredentialStore store;

    @BeforeAll
    void migrate() {
        pool = TestDatabase.MARIADB.fresh();
        Migration.run(pool);
        sql = new Sql(pool);
        store = new SqlCredentialStore(pool);
    }

    @AfterAll
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void the_dialect_is_detected() {
        assertThat(sql.dialect()).isEqualTo(SqlDialect.MYSQL);
    }

    @Test
    void ids_are_compared_byte_by_byte() {
        List<String> users = List.of("ada", "Ada", "ada ", "ad\u00e4", "ada\u0308");
        for (String user : users) {
            store.enroll(new UserRecord(user, "handle-" + users.indexOf(user), null, null));
            assertThat(add("byte" + users.indexOf(user), user)).isEqualTo(Addition.ADDED);
        }
        assertThat(add("BYTE0", "ada")).isEqualTo(Addition.ADDED);

        assertThat(users)
                .allSatisfy(user -> assertThat(store.user(user))
                        .extracting(UserRecord::userId)
                        .isEqualTo(user));
        assertThat(store.list("ada")).hasSize(2);
        assertThat(store.list("ada ")).hasSize(1);
        assertThat(store.find("byte0 ")).isNull();
        assertThat(store.find("Byte0")).isNull();
    }

    @Test
    void the_longest_ids_are_stored_completely() {
        String user = "\ud83d\ude00".repeat(256);
        String id = "x".repeat(CredentialRecord.MAX_ID_CHARS);
        store.enroll(new UserRecord(user, "longest", "n".repeat(256), user));

        assertThat(add(id, user)).isEqualTo(Addition.ADDED);
        assertThat(store.list(user))
                .singleElement()
                .extracting(CredentialRecord::credentialId)
                .isEqualTo(id);
        assertThat(store.user(user)).extracting(UserRecord::displayName).isEqualTo(user);
    }

    @Test
    void a_handle_of_another_user_is_refused_and_changes_neither() {
        store.enroll(new UserRecord("owner", "same-handle", "Owner", null));

        assertThatThrownBy(() -> store.enroll(new UserRecord("thief", "same-handle", "Thief", null)))
                .isInstanceOf(StorageException.class);

        assertThat(store.user("owner")).extracting(UserRecord::name).isEqualTo("Owner");
        assertThat(store.user("thief")).isNull();
    }

    @Test
    void a_challenge_is_taken_once_and_can_be_stored_again() {
        var challenges = new SqlChallengeStore(pool, Clock.systemUTC());
        challenges.setChallenge("ada", "c", 1_000);
        challenges.setChallenge("ada", "c", 2_000);

        assertThat(challenges.takeChallenge("ada", "C")).isNull();
        assertThat(challenges.takeChallenge("ada", "c")).isEqualTo(new StoredChallenge("c", 2_000));
        assertThat(challenges.takeChallenge("ada", "c")).isNull();
    }

    @Test
    void a_driver_that_counts_changed_rows_is_refused() {
        try (var counting = new HikariDataSource()) {
            counting.setJdbcUrl(pool.getJdbcUrl() + "&useAffectedRows=true");

            assertThatThrownBy(() -> Migration.run(counting))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("useAffectedRows");
        }
    }

    @Test
    void a_missing_right_is_reported_as_denied() {
        sql.update("CREATE USER IF NOT EXISTS 'guest'@'%' IDENTIFIED BY 'guest'");
        try (var denied = new HikariDataSource()) {
            denied.setJdbcUrl(pool.getJdbcUrl().replace("user=root", "user=guest&password=guest"));
            denied.setInitializationFailTimeout(-1);
            denied.setConnectionTimeout(1_000);

            assertThatThrownBy(() -> new SqlCredentialStore(denied).list("ada"))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.fault()).isEqualTo(StorageFault.DENIED));
        }
    }

    /** Two transactions lock one row each and then wait for the other's. */
    @Test
    void a_deadlock_is_retried() throws Exception {
        sql.update("INSERT INTO passkey_secret (name, secret) VALUES ('a', '0'), ('b', '0')");
        var attempts = new AtomicInteger();
        var bothLocked = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> one = threads.submit(() -> append("a", "b", attempts, bothLocked));
            Future<?> two = threads.submit(() -> append("b", "a", attempts, bothLocked));
            one.get();
            two.get();
        } finally {
            threads.shutdownNow();
        }

        assertThat(attempts).hasValueGreaterThan(2);
        assertThat(sql.query("SELECT secret FROM passkey_secret WHERE name IN ('a', 'b')", row -> row.getString(1)))
                .containsExactly("011", "011");
    }

    private void append(String first, String second, AtomicInteger attempts, CyclicBarrier bothLocked) {
        String append = "UPDATE passkey_secret SET secret = CONCAT(secret, '1') WHERE name = ?";
        sql.transaction("append to two rows", connection -> {
            Sql.update(connection, append, first);
            if (attempts.incrementAndGet() <= 2) {
                meet(bothLocked);
            }
            return Sql.update(connection, append, second);
        });
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Addition add(String credentialId, String userId) {
        return store.add(CredentialRecord.of(credentialId, userId, "{}", 0, "https://example.org"), 10);
    }
}
