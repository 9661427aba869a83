// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Services.Backends;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.PostgresServer;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** R35: a passkey is removed, a user is locked or signs out everywhere while Redis or PostgreSQL hangs. */
public final class RemovalWhileStorageHangs {
    private static final Duration HEALED = Duration.ofSeconds(10);
    private static final String REDIS = "Redis";

    public void run(TestBed bed) throws Exception {
        Backends backends = bed.services().backends();
        PostgresServer postgres = backends.postgres();
        RedisServer redis = backends.redis();
        int rounds = bed.rounds(10, 1);
        Hang onPostgres = new Hang("PostgreSQL", postgres::pause, postgres::resume, backends, bed);
        Hang onRedis = new Hang(REDIS, redis::pause, redis::resume, backends, bed);
        onPostgres.removals(rounds);
        onRedis.removals(rounds);
        onPostgres.endings(rounds);
        onRedis.endings(rounds);
        bed.call(backends.launch(), "audit", "verify");
        bed.note("the audit log verifies");
    }

    /** A store that can hang, and the results of removals during the hang. */
    private static final class Hang {
        private final String store;
        private final Outage.Action stop;
        private final Outage.Action resume;
        private final PostgresServer database;
        private final Instance service;
        private final TestBed bed;
        private final Random random = new Random(35);
        private Counts counts = new Counts();

        Hang(String store, Outage.Action stop, Outage.Action resume, Backends backends, TestBed bed) {
            this.store = store;
            this.stop = stop;
            this.resume = resume;
            this.database = backends.postgres();
            this.service = backends.service();
            this.bed = bed;
        }

        void removals(int rounds) throws Exception {
            counts = new Counts();
            for (int i = 0; i < rounds; i++) {
                removal("owner-" + store + "-" + i);
            }
            judge("removals", rounds);
        }

        /** Locks users and signs them out everywhere while the store hangs. */
        void endings(int rounds) throws Exception {
            counts = new Counts();
            for (int i = 0; i < rounds; i++) {
                ending("user-" + store + "-" + i, i % 2 == 0);
            }
            judge("locks and sign-outs everywhere", rounds);
        }

        private void judge(String what, int rounds) {
            int done = store.equals(REDIS) ? rounds : rounds - counts.refused;
            bed.expect(
                    counts.done == done && counts.halves == 0,
                    "%s: %d %s, %d done and %d refused with 503, %d half done",
                    store,
                    rounds,
                    what,
                    counts.done,
                    counts.refused,
                    counts.halves);
            bed.expect(counts.slowest <= bed.limit(Outage.DEADLINE_MILLIS + 500), "slowest %.0f ms", counts.slowest);
            bed.expect(counts.retried == rounds, "%d complete after a retry", counts.retried);
            bed.expect(counts.rows == rounds, "%d audit rows", counts.rows);
            bed.expect(counts.accepted == 0, "%d tokens and sessions accepted afterwards", counts.accepted);
        }

        private void removal(String userId) throws Exception {
            try (Connection connection = service.connect()) {
                String token = Users.register(connection, service.address(), userId)
                        .tryLogin()
                        .field("token");
                Person holder = Users.enroll(connection, service.address(), userId, token);
                String gone = "select 1 - count(*) from passkey_credential where credential_id = '"
                        + holder.credentialId() + "'";
                TestResponse login = holder.tryLogin();
                attempt(
                        () -> holder.remove(new Web(connection).bearer(token)),
                        404,
                        List.of(login),
                        () -> state(gone, "'passkey_removed'", userId));
            }
        }

        private void ending(String userId, boolean lock) throws Exception {
            try (Connection connection = service.connect()) {
                Person person = Users.register(connection, service.address(), userId);
                TestResponse login = person.tryLogin();
                TestResponse other = person.tryLogin();
                Web user = person.web().bearer(login.field("token"));
                String ended = "select count(*) from porchlight_user_access where user_id = '" + userId + "'";
                attempt(
                        () -> lock
                                ? person.web().post("/admin/users/" + userId + "/lock", "")
                                : user.post("/auth/logout?everywhere=true", ""),
                        lock ? 204 : 401, // a completed sign-out has invalidated the token that would repeat it
                        List.of(login, other),
                        () -> state(ended, "'user_locked', 'logout_everywhere'", userId));
            }
        }

        /**
         * Sends a request while the store hangs, and again afterwards.
         *
         * @param repeated the status of a request that has already succeeded
         * @param logins whose sessions and tokens it ends
         */
        private void attempt(
                Supplier<TestResponse> request, int repeated, List<TestResponse> logins, Callable<String> state)
                throws Exception {
            Future<?> stopping = inAThread(stop); // takes some milliseconds
            Thread.sleep(random.nextInt(40));
            long begin = System.nanoTime();
            TestResponse response = request.get();
            counts.slowest = Math.max(counts.slowest, (System.nanoTime() - begin) / 1e6);
            stopping.get();
            counts.done += response.ok() ? 1 : 0;
            counts.refused += response.status() == 503 ? 1 : 0;
            if (response.ok()) {
                counts.accepted += accepted(logins); // also while the store still hangs
            }
            resume.run();
            service.awaitReady(bed.limit(HEALED));
            counts.halves += List.of("0 0", "1 1").contains(state.call()) ? 0 : 1;
            TestResponse again = request.get();
            counts.retried +=
                    (again.ok() || again.status() == repeated) && state.call().startsWith("1") ? 1 : 0;
            counts.accepted += accepted(logins);
            counts.rows += Integer.parseInt(state.call().substring(2));
        }

        private static Future<?> inAThread(Outage.Action act) {
            FutureTask<Void> task = new FutureTask<>(() -> {
                act.run();
                return null;
            });
            new Thread(task, "stops a store").start();
            return task;
        }

        /** The number of these sessions and tokens that are accepted. */
        private int accepted(List<TestResponse> logins) {
            int accepted = 0;
            try (Connection asking = service.connect()) {
                Web web = new Web(asking);
                for (TestResponse login : logins) {
                    accepted +=
                            web.bearer(login.field("token")).get(Person.SESSION).ok() ? 1 : 0;
                    accepted += web.cookie(login.cookie()).get(Person.SESSION).ok() ? 1 : 0;
                }
            }
            return accepted;
        }

        /** Whether the access has ended, and the number of audit rows about it, in one snapshot. */
        private String state(String ended, String actions, String userId) throws IOException {
            return database.sql("select (" + ended + ") || ' ' || (select count(*) from porchlight_audit"
                    + " join porchlight_audit_subject using (subject) where action in (" + actions
                    + ") and user_id = '" + userId + "')");
        }
    }

    /** The count of each result, and the slowest response. */
    private static final class Counts {
        private int done;
        private int refused;
        private int halves;
        private int accepted;
        private int retried;
        private int rows;
        private double slowest;
    }
}
