// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Backends;
import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.redis.RedisServer;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** R35: a passkey is removed, a user is locked or signs out everywhere while Redis or PostgreSQL hangs. */
public final class RemovalWhileStorageHangs {
    private static final Duration HEALED = Duration.ofSeconds(10);
    private static final String REDIS = "Redis";

    public void run(TestBed bed, Findings findings) throws Exception {
        Backends backends = bed.backends();
        Cluster postgres = backends.postgres();
        RedisServer redis = backends.redis();
        int rounds = bed.rounds(10, 1);
        Hang onPostgres = new Hang("PostgreSQL", postgres::pause, postgres::resume, backends, bed, findings);
        Hang onRedis = new Hang(REDIS, redis::pause, redis::resume, backends, bed, findings);
        onPostgres.removals(rounds);
        onRedis.removals(rounds);
        onPostgres.endings(rounds);
        onRedis.endings(rounds);
        bed.call(backends.launch(), "audit", "verify");
        findings.note("the audit log verifies");
    }

    /** A store that can hang, and the results of removals during the hang. */
    private static final class Hang {
        private final String store;
        private final Outage.Action stop;
        private final Outage.Action resume;
        private final Cluster database;
        private final Instance service;
        private final TestBed bed;
        private final Findings findings;
        private final Random random = new Random(35);
        private Counts counts = new Counts();

        Hang(
                String store,
                Outage.Action stop,
                Outage.Action resume,
                Backends backends,
                TestBed bed,
                Findings findings) {
            this.store = store;
            this.stop = stop;
            this.resume = resume;
            this.database = backends.postgres();
            this.service = backends.service();
            this.bed = bed;
            this.findings = findings;
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
            findings.expect(
                    counts.done == done && counts.halves == 0,
                    "%s: %d %s, %d done and %d refused with 503, %d half done",
                    store,
                    rounds,
                    what,
                    counts.done,
                    counts.refused,
                    counts.halves);
            findings.expect(
                    counts.slowest <= bed.limit(Outage.DEADLINE_MILLIS + 500), "slowest %.0f ms", counts.slowest);
            findings.expect(counts.retried == rounds, "%d complete after a retry", counts.retried);
            findings.expect(counts.rows == rounds, "%d audit rows", counts.rows);
            findings.expect(counts.accepted == 0, "%d tokens and sessions accepted afterwards", counts.accepted);
        }

        private void removal(String userId) throws Exception {
            try (Connection connection = service.connect(Patience.LIMIT);
                    Connection asking = service.connect(Patience.LIMIT)) {
                Person owner = Users.register(connection, service.address(), userId);
                String token = owner.tryLogin().field("token");
                Person holder = Users.enroll(connection, service.address(), userId, token);
                TestResponse login = holder.tryLogin();
                Future<?> stopping = inAThread(stop); // takes some milliseconds
                Thread.sleep(random.nextInt(40));
                long begin = System.nanoTime();
                TestResponse removal = holder.remove(new Web(connection).bearer(token));
                counts.slowest = Math.max(counts.slowest, (System.nanoTime() - begin) / 1e6);
                stopping.get();
                counts.done += removal.status() == 200 ? 1 : 0;
                counts.refused += removal.status() == 503 ? 1 : 0;
                if (removal.ok()) {
                    counts.accepted += accepted(asking, login); // also while the store still hangs
                }
                resume.run();
                service.awaitReady(bed.limit(HEALED));
                counts.halves += isWhole(holder) ? 0 : 1;
                int again = holder.remove(new Web(connection).bearer(token)).status();
                counts.retried +=
                        (again == 200 || again == 404) && state(holder).startsWith("0") ? 1 : 0;
                counts.accepted += accepted(asking, login);
                counts.rows += Integer.parseInt(state(holder).substring(2));
            }
        }

        private static Future<?> inAThread(Outage.Action act) {
            FutureTask<Void> task = new FutureTask<>(() -> {
                act.run();
                return null;
            });
            new Thread(task, "stops a store").start();
            return task;
        }

        private static int accepted(Connection asking, TestResponse login) throws IOException {
            int token = asking.get("/auth/session", "Authorization", "Bearer " + login.field("token"))
                    .status();
            int session = asking.get("/auth/session", "Cookie", login.cookie()).status();
            return (token == 200 ? 1 : 0) + (session == 200 ? 1 : 0);
        }

        private boolean isWhole(Person holder) throws IOException {
            String state = state(holder);
            return state.equals("1 0") || state.equals("0 1");
        }

        /** Whether the passkey exists, and the number of audit rows about its removal, in one snapshot. */
        private String state(Person holder) throws IOException {
            return database.sql("select (select count(*) from passkey_credential where credential_id = '"
                    + holder.credentialId() + "') || ' ' || (select count(*) from porchlight_audit"
                    + " join porchlight_audit_subject using (subject) where action = 'passkey_removed' and user_id = '"
                    + holder.userId() + "')");
        }

        private void ending(String userId, boolean lock) throws Exception {
            try (Connection connection = service.connect(Patience.LIMIT);
                    Connection asking = service.connect(Patience.LIMIT)) {
                Person person = Users.register(connection, service.address(), userId);
                TestResponse login = person.tryLogin();
                TestResponse other = person.tryLogin();
                Future<?> stopping = inAThread(stop);
                Thread.sleep(random.nextInt(40));
                long begin = System.nanoTime();
                TestResponse ending = end(connection, userId, lock, login);
                counts.slowest = Math.max(counts.slowest, (System.nanoTime() - begin) / 1e6);
                stopping.get();
                counts.done += ending.status() == 204 ? 1 : 0;
                counts.refused += ending.status() == 503 ? 1 : 0;
                if (ending.ok()) {
                    counts.accepted += accepted(asking, login) + accepted(asking, other); // also while the store hangs
                }
                resume.run();
                service.awaitReady(bed.limit(HEALED));
                String state = endState(userId);
                counts.halves += state.equals("0 0") || state.equals("1 1") ? 0 : 1;
                int again = end(connection, userId, lock, login).status();
                // a completed sign-out has invalidated the token that would repeat it
                counts.retried += again == 204 || !lock && again == 401 ? 1 : 0;
                counts.accepted += accepted(asking, login) + accepted(asking, other);
                counts.rows += Integer.parseInt(endState(userId).substring(2));
            }
        }

        private static TestResponse end(Connection connection, String userId, boolean lock, TestResponse login)
                throws IOException {
            return lock
                    ? connection.post("/admin/users/" + userId + "/lock", "")
                    : connection.post(
                            "/auth/logout?everywhere=true", "", "Authorization", "Bearer " + login.field("token"));
        }

        /** How often the user's access was ended, and the number of audit rows about it, in one snapshot. */
        private String endState(String userId) throws IOException {
            return database.sql("select (select count(*) from porchlight_user_access where user_id = '" + userId
                    + "') || ' ' || (select count(*) from porchlight_audit"
                    + " join porchlight_audit_subject using (subject) where action in"
                    + " ('user_locked', 'logout_everywhere') and user_id = '" + userId + "')");
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
