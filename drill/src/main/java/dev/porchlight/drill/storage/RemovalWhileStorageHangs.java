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

/** R35: a passkey is removed while Redis or PostgreSQL hangs. */
public final class RemovalWhileStorageHangs implements Row {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration HEALED = Duration.ofSeconds(10);

    @Override
    public About about() {
        return new About(
                "R35",
                "PostgreSQL, then Redis, is stopped with SIGSTOP up to 40 ms before a passkey is removed, 20 times each; then"
                        + " sign-out everywhere while Redis is stopped",
                "the removal is done as a whole or refused as a whole, within 2 s; a retry completes it; one audit row each; the"
                        + " removed passkey's token and session are not accepted at any time afterwards",
                Promise.P3,
                Promise.P4,
                Promise.P5);
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        Cluster postgres = ground.postgres();
        RedisServer redis = ground.stopAtEnd(RedisServer.start());
        Launch launch =
                ground.service().with("DATABASE_URL", postgres.jdbcUrl()).with("REDIS_URL", redis.url());
        Instance service = ground.start(launch);
        int rounds = ground.rounds(20, 3);
        Hang onPostgres = new Hang(postgres::pause, postgres::resume, postgres, service, findings);
        Hang onRedis = new Hang(redis::pause, redis::resume, postgres, service, findings);
        onPostgres.removals("PostgreSQL", rounds, ground.limit(Outage.DEADLINE_MILLIS + 500));
        onRedis.removals("Redis", rounds, ground.limit(Outage.DEADLINE_MILLIS + 500));
        onRedis.signOut();
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

        /** Refused while the sessions cannot be reached, and complete when it is tried again. */
        void signOut() throws Exception {
            try (Connection connection = service.connect(TIMEOUT)) {
                Person owner = Person.register(connection, service.address(), "signs-out");
                Answer login = owner.login(connection);
                Answer elsewhere = owner.login(connection);
                String bearer = "Authorization: Bearer " + login.field("token");
                stop.run();
                int refusal = connection
                        .post("/auth/logout?everywhere=true", "", bearer)
                        .status();
                goOn.run();
                service.awaitReady(HEALED);
                int again = connection
                        .post("/auth/logout?everywhere=true", "", bearer)
                        .status();
                String cookie = String.valueOf(elsewhere.header("Set-Cookie")).split(";", 2)[0];
                int session =
                        connection.get("/auth/session", "Cookie: " + cookie).status();
                findings.expect(
                        refusal == 503 && again == 204 && session == 401,
                        "sign-out everywhere: %d while Redis hangs, then %d, and the other session gets %d",
                        refusal,
                        again,
                        session);
            }
        }
    }
}
