// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Person;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** R35: a passkey is removed, a user is locked or signs out everywhere while Redis or PostgreSQL hangs. */
public final class RemovalWhileStorageHangs implements Row {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String ADMIN_TOKEN = "an admin token of this drill";
    private static final Duration HEALED = Duration.ofSeconds(10);

    @Override
    public About about() {
        return new About(
                "R35",
                "PostgreSQL, then Redis, is stopped with SIGSTOP up to 40 ms before a passkey is removed, 10 times each; then the"
                        + " same for locks and sign-outs everywhere",
                "each is done as a whole or refused as a whole, within 2 s; a retry completes it; one audit row each; the"
                        + " tokens and sessions that it ends are not accepted at any time afterwards",
                Promise.P3,
                Promise.P4,
                Promise.P5);
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        Cluster postgres = ground.postgres();
        RedisServer redis = ground.stopAtEnd(RedisServer.start());
        Launch launch = ground.service()
                .with("DATABASE_URL", postgres.jdbcUrl())
                .with("REDIS_URL", redis.url())
                .with("ADMIN_TOKEN", ADMIN_TOKEN);
        Instance service = ground.start(launch);
        int rounds = ground.rounds(10, 1);
        Hang onPostgres = new Hang(postgres::pause, postgres::resume, postgres, service, findings);
        Hang onRedis = new Hang(redis::pause, redis::resume, postgres, service, findings);
        onPostgres.removals("PostgreSQL", rounds, ground.limit(Outage.DEADLINE_MILLIS + 500));
        onRedis.removals("Redis", rounds, ground.limit(Outage.DEADLINE_MILLIS + 500));
        onPostgres.endings("PostgreSQL", rounds, ground.limit(Outage.DEADLINE_MILLIS + 500));
        onRedis.endings("Redis", rounds, ground.limit(Outage.DEADLINE_MILLIS + 500));
        launch.call("audit", "verify");
        findings.note("the audit log verifies");
    }

    /** A store that can be stopped, and what happens to removals meanwhile. */
    private static final class Hang {
        private final Outage.Act stop;
        private final Outage.Act goOn;
        private final Cluster database;
        private final Instance service;
        private final Findings findings;
        private final Random random = new Random(35);
        private int done;
        private int refused;
        private int halves;
        private int accepted;
        private int retried;
        private int rows;
        private double slowest;
        private int ended;
        private int endRefused;
        private int endHalves;
        private int endAccepted;
        private int endRetried;
        private int endRows;
        private double endSlowest;

        Hang(Outage.Act stop, Outage.Act goOn, Cluster database, Instance service, Findings findings) {
            this.stop = stop;
            this.goOn = goOn;
            this.database = database;
            this.service = service;
            this.findings = findings;
        }

        void removals(String store, int rounds, long limitMillis) throws Exception {
            for (int i = 0; i < rounds; i++) {
                removal("owner-" + store + "-" + i);
            }
            findings.expect(
                    done + refused == rounds && halves == 0,
                    "%s: %d removals, %d done and %d refused with 503, %d half done",
                    store,
                    rounds,
                    done,
                    refused,
                    halves);
            findings.expect(slowest <= limitMillis, "slowest %.0f ms", slowest);
            findings.expect(retried == rounds, "%d gone after a retry", retried);
            findings.expect(rows == rounds, "%d audit rows", rows);
            findings.expect(accepted == 0, "%d tokens and sessions accepted afterwards", accepted);
        }

        private void removal(String userId) throws Exception {
            try (Connection connection = service.connect(TIMEOUT);
                    Connection asking = service.connect(TIMEOUT)) {
                Person owner = Person.register(connection, service.address(), userId);
                String token = owner.login(connection).field("token");
                Person holder = Person.enrol(connection, service.address(), userId, token);
                Answer login = holder.login(connection);
                Future<?> stopping = inAThread(stop); // which takes some milliseconds
                Thread.sleep(random.nextInt(40));
                long begin = System.nanoTime();
                Answer removal = remove(connection, holder, token);
                slowest = Math.max(slowest, (System.nanoTime() - begin) / 1e6);
                stopping.get();
                done += removal.status() == 200 ? 1 : 0;
                refused += removal.status() == 503 ? 1 : 0;
                if (removal.ok()) {
                    accepted += accepted(asking, login); // also while the store still hangs
                }
                goOn.run();
                service.awaitReady(HEALED);
                halves += isWhole(holder) ? 0 : 1;
                int again = remove(connection, holder, token).status();
                retried += (again == 200 || again == 404) && state(holder).startsWith("0") ? 1 : 0;
                accepted += accepted(asking, login);
                rows += Integer.parseInt(state(holder).substring(2));
            }
        }

        private static Future<?> inAThread(Outage.Act act) {
            FutureTask<Void> task = new FutureTask<>(() -> {
                act.run();
                return null;
            });
            new Thread(task, "stops a store").start();
            return task;
        }

        private static Answer remove(Connection connection, Person holder, String token) throws IOException {
            return connection.send(
                    "DELETE",
                    "/auth/passkey/credentials/" + holder.credentialId(),
                    null,
                    "Authorization: Bearer " + token);
        }

        private static int accepted(Connection asking, Answer login) throws IOException {
            String cookie = String.valueOf(login.header("Set-Cookie")).split(";", 2)[0];
            int token = asking.get("/auth/session", "Authorization: Bearer " + login.field("token"))
                    .status();
            int session = asking.get("/auth/session", "Cookie: " + cookie).status();
            return (token == 200 ? 1 : 0) + (session == 200 ? 1 : 0);
        }

        private boolean isWhole(Person holder) throws IOException {
            String state = state(holder);
            return state.equals("1 0") || state.equals("0 1");
        }

        /** Whether there is the passkey, and how many audit rows say that it was removed, at one moment. */
        private String state(Person holder) throws IOException {
            return database.sql("select (select count(*) from passkey_credential where credential_id = '"
                    + holder.credentialId() + "') || ' ' || (select count(*) from porchlight_audit"
                    + " where action = 'passkey_removed' and user_id = '" + holder.userId() + "')");
        }

        /**
         * Locks, and signs out everywhere, while the store hangs.
         *
         * @param store its name
         * @param limitMillis how long a response may take
         */
        void endings(String store, int rounds, long limitMillis) throws Exception {
            for (int i = 0; i < rounds; i++) {
                ending("user-" + store + "-" + i, i % 2 == 0);
            }
            findings.expect(
                    ended + endRefused == rounds && endHalves == 0,
                    "%s: %d locks and sign-outs everywhere, %d done and %d refused with 503, %d half done",
                    store,
                    rounds,
                    ended,
                    endRefused,
                    endHalves);
            findings.expect(endSlowest <= limitMillis, "slowest %.0f ms", endSlowest);
            findings.expect(endRetried == rounds, "%d complete after a retry", endRetried);
            findings.expect(endRows == rounds, "%d audit rows", endRows);
            findings.expect(endAccepted == 0, "%d tokens and sessions accepted afterwards", endAccepted);
        }

        private void ending(String userId, boolean lock) throws Exception {
            try (Connection connection = service.connect(TIMEOUT);
                    Connection asking = service.connect(TIMEOUT)) {
                Person person = Person.register(connection, service.address(), userId);
                Answer login = person.login(connection);
                Answer other = person.login(connection);
                Future<?> stopping = inAThread(stop);
                Thread.sleep(random.nextInt(40));
                long begin = System.nanoTime();
                Answer ending = end(connection, userId, lock, login);
                endSlowest = Math.max(endSlowest, (System.nanoTime() - begin) / 1e6);
                stopping.get();
                ended += ending.status() == 204 ? 1 : 0;
                endRefused += ending.status() == 503 ? 1 : 0;
                if (ending.ok()) {
                    endAccepted += accepted(asking, login) + accepted(asking, other); // also while the store hangs
                }
                goOn.run();
                service.awaitReady(HEALED);
                String state = endState(userId);
                endHalves += state.equals("0 0") || state.equals("1 1") ? 0 : 1;
                int again = end(connection, userId, lock, login).status();
                // A sign-out that was done before has ended the token that asks for it again.
                endRetried += again == 204 || !lock && again == 401 ? 1 : 0;
                endAccepted += accepted(asking, login) + accepted(asking, other);
                endRows += Integer.parseInt(endState(userId).substring(2));
            }
        }

        private static Answer end(Connection connection, String userId, boolean lock, Answer login) throws IOException {
            return lock
                    ? connection.post("/admin/users/" + userId + "/lock", "", "Authorization: Bearer " + ADMIN_TOKEN)
                    : connection.post(
                            "/auth/logout?everywhere=true", "", "Authorization: Bearer " + login.field("token"));
        }

        /** How often the user's access was ended, and how many audit rows say so, at one moment. */
        private String endState(String userId) throws IOException {
            return database.sql("select (select count(*) from porchlight_user_access where user_id = '" + userId
                    + "') || ' ' || (select count(*) from porchlight_audit where action in"
                    + " ('user_locked', 'logout_everywhere') and user_id = '" + userId + "')");
        }
    }
}
