// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.server.audit.AuditEvents;
import dev.porchlight.server.audit.AuditTrail;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PostgresUnitsTest extends UnitsContract {
    private static final String WAITS = "SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database"
            + " WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()";

    private static final String WAITS_FOR_ROWS =
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

    @Override
    TestDatabase engine() {
        return TestDatabase.POSTGRES;
    }

    /** The server commits after the connection is lost, so the client does not know. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_commit_in_doubt_is_reported_as_a_failure_and_written_once(boolean chainBegun) throws Exception {
        passkey("key", 1);
        inDoubt(chainBegun, backend -> {});

        await().untilAsserted(() -> assertThat(challenges()).containsExactly("c1"));
        assertThat(sessions()).containsExactly("s1");
        assertThat(count("key")).isEqualTo(2);
        assertThat(audit()).containsExactly("DONE");
        assertThat(commit(login("c1", "key", 3))).isEqualTo(Result.CHALLENGE_USED);
    }

    /** The same, but the server does not commit. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_commit_that_did_not_happen_is_reported_as_a_failure_and_not_retried(boolean chainBegun) throws Exception {
        passkey("key", 1);
        inDoubt(chainBegun, backend -> sql.query("SELECT pg_terminate_backend(?)", row -> true, backend));

        assertThat(challenges()).isEmpty();
        assertThat(sessions()).isEmpty();
        assertThat(audit()).isEmpty();
        assertThat(commit(login("c1", "key", 2))).isEqualTo(Result.DONE);
    }

    @Test
    void a_connection_lost_before_the_commit_is_replaced_and_the_unit_written_once() throws Exception {
        passkey("key", 1);
        try (Forwarder network = new Forwarder(port());
                Database remote = through(network);
                TestUnits there = on(remote)) {
            int[] attempts = new int[1];
            CeremonyUnit login = login("c1", "key", 2).session("s1").unit();

            Result result = there.units().commit("cut off once", connection -> {
                Result written = login.write(connection);
                if (attempts[0]++ == 0) {
                    drop(network);
                    Sql.query(connection, "SELECT 1", row -> 1);
                }
                return written;
            });

            assertThat(result).isEqualTo(Result.DONE);
            assertThat(attempts[0]).isEqualTo(2);
            assertThat(sessions()).containsExactly("s1");
        }
    }

    @Test
    void copies_of_a_login_in_one_batch_share_its_transaction() throws Exception {
        passkey("key", 1);

        assertThat(inOneBatch(
                        login("c", "key", 2).session("s1"), login("c", "key", 3).session("s2"), refusal("c")))
                .containsExactly(Result.DONE, Result.CHALLENGE_USED, Result.CHALLENGE_USED);

        assertThat(count("key")).isEqualTo(2);
        assertThat(sql.query("SELECT DISTINCT xmin::text FROM porchlight_audit", row -> row.getString(1)))
                .hasSize(1);
    }

    /** In each batch one login has a stale count, and ends its session in a later statement than the other. */
    @Test
    void batches_that_end_the_same_sessions_do_not_deadlock() throws Exception {
        for (String name : List.of("a", "b", "c", "d")) {
            passkey(name, 0);
            commit(login(null, name, 0).session("s" + name));
        }

        whileLocked(
                "SELECT 1 FROM porchlight_sealed_entry FOR UPDATE",
                List.of(
                        login("c1", "a", 0).stale().flagged().former("sb"),
                        login("c2", "b", 0).former("sa")),
                List.of(
                        login("c3", "c", 0).stale().flagged().former("sa"),
                        login("c4", "d", 0).former("sb")));

        assertThat(sessions()).containsExactly("sc", "sd");
    }

    @Test
    void copies_of_a_login_in_different_batches_do_not_deadlock() throws Exception {
        passkey("a", 1);
        passkey("b", 1);

        whileLocked(
                "SELECT 1 FROM passkey_credential WHERE credential_id = 'b' FOR UPDATE",
                List.of(login("c1", "a", 2), login("c2", "b", 2)),
                List.of(login("c1", "a", 2)));

        assertThat(challenges()).containsExactly("c1", "c2");
    }

    /**
     * Half of the logins have stale sign counts, which need separate statements. Many replace the same session, and some are
     * sent to both instances.
     */
    @Test
    void two_instances_that_write_to_the_same_rows_do_not_deadlock() throws Exception {
        List<String> ids = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 24; i++) {
            ids.add(Integer.toString(random.nextInt(1_000_000), 36) + "-" + i);
            passkey(ids.get(i), 0);
        }
        for (int i = 0; i < 80; i++) {
            commit(login(null, ids.get(0), 0).session("former " + i));
        }
        Set<String> challenges = new HashSet<>();
        try (Database patient = patient(url());
                TestUnits one = on(patient);
                TestUnits other = on(patient)) {
            List<Callable<Boolean>> acts = new ArrayList<>();
            for (int thread = 0; thread < 64; thread++) {
                Units at = (thread % 2 == 0 ? one : other).units();
                List<CeremonyUnit> mine = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    boolean sentTwice = i % 5 == 4;
                    String challenge = (sentTwice ? "c" + thread / 2 + "-twice-" : "c" + thread + "-") + i;
                    challenges.add(challenge);
                    int key = sentTwice ? thread / 2 + i : random.nextInt(ids.size());
                    TestUnit login = login(challenge, ids.get(key % ids.size()), 0)
                            .session("s" + thread + "-" + i)
                            .former("former " + (i / 2 * 8 + random.nextInt(8)));
                    mine.add((i % 2 == 0 ? login.stale().flagged() : login).unit());
                }
                acts.add(() -> {
                    mine.forEach(unit -> at.commit("a login", unit));
                    return true;
                });
            }
            assertThat(Together.run(acts)).containsOnly(true);
        }
        assertThat(challenges()).containsExactlyInAnyOrderElementsOf(challenges);
        // Sessions report their statistics when they end.
        assertThat(sql.query(
                        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
                        row -> row.getLong(1)))
                .containsExactly(0L);
    }

    /** Begins transactions with these batches while rows are locked, unlocks them, and lets the transactions end. */
    @SafeVarargs
    private void whileLocked(String lock, List<TestUnit>... batches) throws Exception {
        List<FutureTask<Boolean>> transactions = new ArrayList<>();
        try (Connection gate = withoutTimeouts(url()).connect()) {
            gate.setAutoCommit(false);
            Sql.query(gate, lock, row -> true);
            for (List<TestUnit> batch : batches) {
                var transaction = new FutureTask<>(() -> write(batch));
                new Thread(transaction).start();
                transactions.add(transaction);
                await().until(() -> sql.query(WAITS_FOR_ROWS, row -> true).size() == transactions.size());
            }
            gate.rollback();
        }
        for (FutureTask<Boolean> transaction : transactions) {
            assertThat(transaction.get()).isTrue();
        }
    }

    private boolean write(List<TestUnit> batch) throws SQLException {
        try (Connection connection = withoutTimeouts(url()).connect()) {
            connection.setAutoCommit(false);
            List<PendingUnit<?>> units = new ArrayList<>();
            batch.forEach(unit -> units.add(new PendingUnit<>(unit.unit(), null, Duration.ofMinutes(1))));
            CeremonyBatch.of(units).write(connection);
            connection.commit();
            return true;
        }
    }

    private interface Interference {
        void with(int backend);
    }

    /** Cuts the connection while the server executes COMMIT, and then lets the server continue. */
    private void inDoubt(boolean chainBegun, Interference interference) throws Exception {
        try (Forwarder network = new Forwarder(port());
                Database remote = through(network);
                TestUnits there = on(remote);
                Connection gate = DatabaseUrl.parse(url()).connect()) {
            if (chainBegun) {
                there.units().audit().append(AuditEvents.named("before", "", ""));
            }
            sql.update("CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END'");
            sql.update("CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON porchlight_audit"
                    + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()");
            Sql.query(gate, "SELECT pg_advisory_lock(42)", row -> true);
            CeremonyUnit login = login("c1", "key", 2).session("s1").unit();
            Future<Result> result =
                    CompletableFuture.supplyAsync(() -> there.units().commit("in doubt", login));
            await().until(() -> !sql.query(WAITS, row -> true).isEmpty());
            int backend = sql.<Integer>query(WAITS.replace("SELECT 1", "SELECT pid"), row -> row.getInt(1))
                    .get(0);
            assertThat(challenges()).isEmpty();

            network.drop();

            assertThatThrownBy(result::get).hasCauseInstanceOf(StorageException.class);
            interference.with(backend);
            Sql.query(gate, "SELECT pg_advisory_unlock(42)", row -> true);
            await().until(() -> sql.query("SELECT 1 FROM pg_stat_activity WHERE pid = ?", row -> true, backend)
                    .isEmpty());
            sql.update("DROP TRIGGER wait_at_commit ON porchlight_audit");
            assertThat(faults()).isEmpty();
        }
    }

    private static void drop(Forwarder network) {
        try {
            network.drop();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private Database through(Forwarder network) {
        return patient(url().replace(":" + port() + "/", ":" + network.port() + "/"));
    }

    private static Database patient(String url) {
        return Database.open(withoutTimeouts(url), 4);
    }

    /** With timeouts that are longer than the test. */
    private static DatabaseUrl withoutTimeouts(String url) {
        return DatabaseUrl.parse(url + "&socketTimeout=60&options=-c%20lock_timeout%3D60000");
    }

    private TestUnits on(Database there) {
        return new TestUnits(there.dataSource(), engine(), new AuditTrail(KEY, Clock.systemUTC()));
    }

    private int port() {
        return URI.create(url().substring("jdbc:".length())).getPort();
    }
}
