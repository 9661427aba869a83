// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.CredentialStore.Use;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.server.audit.AuditEvents;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.storage.CeremonyUnit.Login;
import dev.porchlight.support.Patience;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of units of work, on every database. */
abstract class UnitsContract {
    static final byte[] KEY = new byte[32];
    private static final long LATER = System.currentTimeMillis() + 300_000;

    private final AtomicInteger names = new AtomicInteger();
    private String url = "";
    private Database database;
    private TestUnits testUnits;
    Units units;
    Sql sql;

    abstract TestDatabase engine();

    @BeforeEach
    void open() {
        url = engine().freshUrl();
        database = TestDatabase.open(url, 8);
        database.migrate(Patience.LIMIT);
        sql = database.sql();
        testUnits = another();
        units = testUnits.units();
    }

    @AfterEach
    void close() {
        testUnits.close();
        assertThat(faults()).isEmpty();
        database.close();
    }

    /** The URL of the database. */
    String url() {
        return url;
    }

    /** Another committer with its own chain, like another instance. */
    TestUnits another() {
        return new TestUnits(database.dataSource(), engine(), new AuditTrail(KEY, Clock.systemUTC()));
    }

    @Test
    void a_login_writes_the_challenge_the_count_the_session_and_the_audit_row() {
        passkey("key", 4);

        assertThat(commit(login("c1", "key", 5).session("s1"))).isEqualTo(Result.DONE);

        assertThat(challenges()).containsExactly("c1");
        assertThat(count("key")).isEqualTo(5);
        assertThat(sessions()).containsExactly("s1");
        assertThat(audit()).containsExactly("DONE");
        assertThat(column("SELECT backed_up FROM passkey_credential")).containsExactly("1");
    }

    @Test
    void a_login_with_a_zero_sign_count_succeeds() {
        passkey("key", 0);

        assertThat(commit(login("c1", "key", 0).session("s1"))).isEqualTo(Result.DONE);
        assertThat(commit(login("c2", "key", 0).session("s2"))).isEqualTo(Result.DONE);

        assertThat(sessions()).containsExactly("s1", "s2");
    }

    @Test
    void a_reused_challenge_writes_only_an_audit_row() {
        passkey("key", 4);
        commit(login("c1", "key", 5));

        assertThat(commit(login("c1", "key", 6).session("s1").former("s0"))).isEqualTo(Result.CHALLENGE_USED);

        assertThat(count("key")).isEqualTo(5);
        assertThat(sessions()).isEmpty();
        assertThat(audit()).containsExactly("DONE", "CHALLENGE_USED");
    }

    @Test
    void a_refusal_uses_up_the_challenge() {
        passkey("key", 4);

        assertThat(commit(refusal("c1"))).isEqualTo(Result.DONE);
        assertThat(commit(login("c1", "key", 5).session("s1"))).isEqualTo(Result.CHALLENGE_USED);
        assertThat(commit(refusal("c1"))).isEqualTo(Result.CHALLENGE_USED);

        assertThat(count("key")).isEqualTo(4);
        assertThat(sessions()).isEmpty();
    }

    @Test
    void a_stale_sign_count_is_refused_and_uses_up_the_challenge() {
        passkey("key", 9);

        assertThat(commit(login("c1", "key", 9).session("s1"))).isEqualTo(Result.STALE_COUNT);
        assertThat(commit(login("c2", "key", 8).stale().session("s2"))).isEqualTo(Result.STALE_COUNT);
        assertThat(commit(login("c1", "key", 10))).isEqualTo(Result.CHALLENGE_USED);

        assertThat(count("key")).isEqualTo(9);
        assertThat(sessions()).isEmpty();
        assertThat(challenges()).containsExactly("c1", "c2");
    }

    @Test
    void a_flagged_stale_sign_count_creates_a_session_and_is_not_stored() {
        passkey("key", 9);

        assertThat(commit(login("c1", "key", 9).flagged().session("s1"))).isEqualTo(Result.DONE_WITH_STALE_COUNT);
        assertThat(commit(login("c2", "key", 3).stale().flagged().session("s2").former("s1")))
                .isEqualTo(Result.DONE_WITH_STALE_COUNT);

        assertThat(count("key")).isEqualTo(9);
        assertThat(sessions()).containsExactly("s2");
        assertThat(column("SELECT last_used_at FROM passkey_credential")).doesNotContainNull();
    }

    @Test
    void a_removed_passkey_creates_no_session_and_uses_up_the_challenge() {
        assertThat(commit(login("c1", "gone", 5).session("s1"))).isEqualTo(Result.PASSKEY_GONE);
        assertThat(commit(login("c2", "gone", 5).flagged().session("s2"))).isEqualTo(Result.PASSKEY_GONE);
        assertThat(commit(login("c3", "gone", 5).stale().session("s3"))).isEqualTo(Result.PASSKEY_GONE);

        assertThat(sessions()).isEmpty();
        assertThat(challenges()).containsExactly("c1", "c2", "c3");
        assertThat(audit()).containsOnly("PASSKEY_GONE").hasSize(3);
    }

    @Test
    void a_login_ends_only_the_session_it_replaces() {
        passkey("key", 1);
        commit(login("c1", "key", 2).session("s1"));
        commit(login("c2", "key", 3).session("s2"));

        assertThat(commit(login("c3", "key", 4).session("s3").former("s1"))).isEqualTo(Result.DONE);

        assertThat(sessions()).containsExactly("s2", "s3");
    }

    @Test
    void the_first_of_two_units_with_one_challenge_in_one_batch_succeeds() throws Exception {
        passkey("one", 1);
        passkey("two", 1);

        assertThat(inOneBatch(
                        login("c", "one", 2).session("s1"), login("c", "two", 2).session("s2"), refusal("c")))
                .containsExactly(Result.DONE, Result.CHALLENGE_USED, Result.CHALLENGE_USED);

        assertThat(sessions()).containsExactly("s1");
        assertThat(count("two")).isOne();
    }

    @Test
    void a_refusal_before_a_login_with_the_same_challenge_in_one_batch_wins() throws Exception {
        passkey("key", 1);

        assertThat(inOneBatch(refusal("c"), login("c", "key", 2).session("s1")))
                .containsExactly(Result.DONE, Result.CHALLENGE_USED);

        assertThat(sessions()).isEmpty();
    }

    @Test
    void units_with_one_passkey_in_one_batch_are_committed_in_order() throws Exception {
        passkey("key", 1);

        assertThat(inOneBatch(
                        login("c1", "key", 2).session("s1"),
                        login("c2", "key", 3).session("s2"),
                        login("c3", "key", 3).session("s3"),
                        login("c4", "key", 4).session("s4")))
                .containsExactly(Result.DONE, Result.DONE, Result.STALE_COUNT, Result.DONE);

        assertThat(count("key")).isEqualTo(4);
        assertThat(sessions()).containsExactly("s1", "s2", "s4");
        assertThat(audit()).containsExactly("DONE", "DONE", "STALE_COUNT", "DONE");
    }

    @Test
    void one_batch_can_have_all_kinds_of_results() throws Exception {
        passkey("a", 1);
        passkey("b", 7);
        passkey("c", 7);
        commit(refusal("used"));

        assertThat(inOneBatch(
                        refusal("c1"),
                        login("c2", "c", 7).flagged().session("s2"),
                        login("used", "a", 9).session("s3"),
                        login("c4", "b", 7).session("s4"),
                        login("c5", "z", 2).session("s5"),
                        login("c6", "a", 2).session("s6"),
                        login(null, "a", 3).session("s7")))
                .containsExactly(
                        Result.DONE,
                        Result.DONE_WITH_STALE_COUNT,
                        Result.CHALLENGE_USED,
                        Result.STALE_COUNT,
                        Result.PASSKEY_GONE,
                        Result.DONE,
                        Result.DONE);

        assertThat(sessions()).containsExactly("s2", "s6", "s7");
        assertThat(count("a")).isEqualTo(3);
    }

    @Test
    void a_failed_unit_does_not_affect_others() throws Exception {
        passkey("one", 1);
        passkey("two", 1);
        sql.update("CREATE UNIQUE INDEX once ON porchlight_sealed_entry (sealed)");
        sql.update("INSERT INTO porchlight_sealed_entry (kind, entry_key, owner, sealed, created_at, expires_at)"
                + " VALUES ('other', 'key', 'owner', 'taken', 0, 0)");
        CeremonyUnit good = login("c1", "one", 2).session("s1").unit();
        CeremonyUnit bad = login("c2", "two", 2).session("s2", "taken").unit();
        CeremonyUnit alsoGood = refusal("c3").unit();

        List<Object> results = behindOne(List.of(
                () -> units.commit("good", good),
                () -> units.commit("bad", bad),
                () -> units.commit("good too", alsoGood),
                () -> units.commit("fails by itself", connection -> {
                    Sql.update(connection, "DELETE FROM passkey_credential");
                    throw new SQLException("thought better of it");
                })));

        assertThat(results.get(0)).isEqualTo(Result.DONE);
        assertThat(results.get(1)).isInstanceOf(StorageException.class);
        assertThat(results.get(2)).isEqualTo(Result.DONE);
        assertThat(results.get(3)).isInstanceOf(StorageException.class);
        assertThat(challenges()).containsExactly("c1", "c3");
        assertThat(count("two")).isOne();
        assertThat(audit()).containsExactly("DONE", "DONE");
    }

    @Test
    void a_unit_whose_audit_row_fails_writes_nothing() {
        passkey("key", 1);
        CeremonyUnit login = login("c1", "key", 2).session("s1").unit();

        assertThatThrownBy(() -> units.commit("no row", new CeremonyUnit(login.challenge(), login.login(), result -> {
                    throw new IllegalStateException("no row for this");
                })))
                .isInstanceOf(StorageException.class);

        assertThat(challenges()).isEmpty();
        assertThat(sessions()).isEmpty();
        assertThat(count("key")).isOne();
        assertThat(commit(login("c1", "key", 2))).isEqualTo(Result.DONE);
    }

    @Test
    void a_concurrent_login_and_removal_leave_no_session() throws Exception {
        for (int round = 0; round < 20; round++) {
            String key = "key" + round;
            String challenge = "c" + round;
            String session = "s" + round;
            passkey(key, 1);
            Unit<Boolean> removal = connection -> {
                Sql.update(connection, "DELETE FROM passkey_credential WHERE credential_id = ?", key);
                SqlSealedEntries.remove(connection, SealedEntry.SESSION, session);
                return true;
            };
            try (TestUnits other = another()) {
                Together.run(List.of(
                        () -> commit(login(challenge, key, 2).session(session)),
                        () -> other.units().commit("remove", removal)));
            }
        }
        assertThat(sessions()).isEmpty();
    }

    @Test
    void a_passkey_being_removed_is_not_accepted_as_the_callers() throws Exception {
        passkey("key", 1);
        CountDownLatch removed = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        try (TestUnits other = another()) {
            List<Callable<Boolean>> acts = List.of(
                    () -> units.commit("remove", connection -> {
                        SqlCredentialStore.lock(connection, "user");
                        SqlCredentialStore.remove(connection, "user", "key", true);
                        removed.countDown();
                        await(waits);
                        return true;
                    }),
                    () -> {
                        removed.await();
                        Thread asking = Thread.currentThread();
                        Thread watching = new Thread(() -> {
                            Awaitility.await().until(() -> asking.getState() == Thread.State.TIMED_WAITING);
                            waits.countDown();
                        });
                        watching.start();
                        return other.units()
                                .commit(
                                        "lock",
                                        connection -> SqlUsers.lockOwner(connection, "user", "key")
                                                && PasskeyAccess.read(connection, "key") != null);
                    });

            assertThat(Together.run(acts)).containsExactly(true, false);
        }
    }

    @Test
    void one_of_64_threads_on_two_instances_with_one_challenge_succeeds() throws Exception {
        passkey("key", 1);
        try (TestUnits other = another()) {
            List<Callable<Result>> acts = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Units at = i % 2 == 0 ? units : other.units();
                CeremonyUnit unit = i % 3 == 0
                        ? refusal("c").unit()
                        : login("c", "key", 2 + i).session("s" + i).unit();
                acts.add(() -> at.commit("one challenge", unit));
            }

            List<Result> results = Together.run(acts);

            assertThat(results).containsOnlyOnce(Result.DONE).containsOnly(Result.DONE, Result.CHALLENGE_USED);
            assertThat(sessions().size()).isLessThanOrEqualTo(1);
            assertThat(audit()).hasSize(64);
        }
    }

    @Test
    void one_of_64_threads_on_two_instances_with_one_sign_count_succeeds() throws Exception {
        passkey("key", 1);
        try (TestUnits other = another()) {
            List<Callable<Result>> acts = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Units at = i % 2 == 0 ? units : other.units();
                CeremonyUnit unit = login("c" + i, "key", 2).session("s" + i).unit();
                acts.add(() -> at.commit("one count", unit));
            }

            assertThat(Together.run(acts)).containsOnlyOnce(Result.DONE).containsOnly(Result.DONE, Result.STALE_COUNT);

            assertThat(sessions()).hasSize(1);
            assertThat(challenges()).hasSize(64);
        }
    }

    @Test
    void units_of_64_threads_on_two_instances_are_stored_once() throws Exception {
        int keys = 8;
        for (int i = 0; i < keys; i++) {
            passkey("key" + i, 0);
        }
        try (TestUnits other = another()) {
            List<Callable<Integer>> acts = new ArrayList<>();
            for (int thread = 0; thread < 64; thread++) {
                int id = thread;
                Units at = thread % 2 == 0 ? units : other.units();
                acts.add(() -> {
                    int done = 0;
                    for (int i = 0; i < 10; i++) {
                        String name = id + "-" + i;
                        CeremonyUnit unit = login("c" + name, "key" + (id + i) % keys, 0)
                                .session("s" + name)
                                .unit();
                        done += at.commit("a login", unit) == Result.DONE ? 1 : 0;
                    }
                    return done;
                });
            }

            assertThat(Together.run(acts)).containsOnly(10);

            assertThat(sessions()).hasSize(640);
            assertThat(challenges()).hasSize(640);
            assertThat(audit()).hasSize(640);
        }
    }

    /** The faults of the audit log, which has no missing or changed rows. */
    List<String> faults() {
        return new AuditVerification(new AuditStore(sql), KEY).verify().faults();
    }

    void passkey(String id, long count) {
        sql.update(
                "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                        + " VALUES (?, 'user', '{}', ?, 'https://example.com')",
                id,
                count);
    }

    Result commit(TestUnit unit) {
        return units.commit("a ceremony", unit.unit());
    }

    List<String> challenges() {
        return column("SELECT challenge_id FROM passkey_used_challenge ORDER BY challenge_id");
    }

    List<String> sessions() {
        return column("SELECT entry_key FROM porchlight_sealed_entry WHERE kind = 'session' ORDER BY entry_key");
    }

    /** The results in audit rows, in order. */
    List<String> audit() {
        return column("SELECT reason FROM porchlight_audit WHERE action = 'ceremony' ORDER BY chain, seq");
    }

    long count(String credentialId) {
        return sql.<Long>query(
                        "SELECT sign_count FROM passkey_credential WHERE credential_id = ?",
                        row -> row.getLong(1),
                        credentialId)
                .get(0);
    }

    private List<String> column(String query) {
        return sql.query(query, row -> row.getString(1));
    }

    static TestUnit login(@Nullable String challenge, String credentialId, long count) {
        return new TestUnit(challenge, credentialId, count, true, true, null, null);
    }

    static TestUnit refusal(String challenge) {
        return new TestUnit(challenge, null, 0, true, true, null, null);
    }

    /** A builder for units. */
    record TestUnit(
            @Nullable String challenge,
            @Nullable String credentialId,
            long count,
            boolean grew,
            boolean refuseStale,
            @Nullable SealedEntry entry,
            @Nullable String formerSession) {

        TestUnit session(String key) {
            return session(key, "sealed " + key);
        }

        TestUnit session(String key, String sealed) {
            var opened = new SealedEntry(SealedEntry.SESSION, key, "owner", sealed, LATER);
            return new TestUnit(challenge, credentialId, count, grew, refuseStale, opened, formerSession);
        }

        TestUnit former(String key) {
            return new TestUnit(challenge, credentialId, count, grew, refuseStale, entry, key);
        }

        /** Sets that the count had not grown when the passkey was read. */
        TestUnit stale() {
            return new TestUnit(challenge, credentialId, count, false, refuseStale, entry, formerSession);
        }

        /** Sets that a stale count is accepted. */
        TestUnit flagged() {
            return new TestUnit(challenge, credentialId, count, grew, false, entry, formerSession);
        }

        CeremonyUnit unit() {
            Use use = new Use(count, Instant.now(), true, true);
            return new CeremonyUnit(
                    challenge == null ? null : new UsedChallenge(challenge, LATER),
                    credentialId == null
                            ? null
                            : new Login(credentialId, "user", use, grew, refuseStale, entry, formerSession, at -> {}),
                    result -> AuditEvents.named("ceremony", "user", "a correlation id")
                            .withReason(result.name()));
        }
    }

    List<Object> inOneBatch(TestUnit... batch) throws Exception {
        List<Callable<Object>> acts = new ArrayList<>();
        for (TestUnit each : batch) {
            CeremonyUnit unit = each.unit();
            acts.add(() -> units.commit("a ceremony", unit));
        }
        return behindOne(acts);
    }

    /** Queues units in order while the committer is busy, so that it writes them in one batch. */
    List<Object> behindOne(List<Callable<Object>> acts) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Task first = new Task(() -> units.commit("busy", connection -> {
            begun.countDown();
            await(goOn);
            return true;
        }));
        begun.await();
        List<Task> tasks = new ArrayList<>();
        for (Callable<Object> act : acts) {
            Task task = new Task(act);
            Awaitility.await().until(() -> task.getState() == Thread.State.TIMED_WAITING);
            tasks.add(task);
        }
        goOn.countDown();
        first.join();
        List<Object> results = new ArrayList<>();
        for (Task task : tasks) {
            task.join();
            results.add(task.result);
        }
        return results;
    }

    /** A thread with a result or exception. */
    private final class Task extends Thread {
        private final Callable<Object> act;
        private Object result = "none";

        Task(Callable<Object> act) {
            super("unit " + names.incrementAndGet());
            this.act = act;
            start();
        }

        @Override
        public void run() {
            try {
                result = act.call();
            } catch (Exception e) {
                result = e;
            }
        }
    }

    private static void await(CountDownLatch latch) throws SQLException {
        try {
            assertThat(latch.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new SQLException(e);
        }
    }
}
