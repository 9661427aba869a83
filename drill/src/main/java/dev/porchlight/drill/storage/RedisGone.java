// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Person;
import dev.porchlight.testkit.redis.RedisServer;
import java.time.Duration;

/** R13: Redis is killed, hung and emptied under load. */
public final class RedisGone implements Row {
    private static final int WORKERS = 32;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final double DEADLINE_MILLIS = 2_500;

    @Override
    public About about() {
        return new About(
                "R13",
                "Redis is killed, hung, and emptied while people sign in",
                "ceremonies answer 503 with Retry-After within the deadline, never 200; tokens are still taken; readiness and a"
                        + " gauge say so; logins pass within 10 s after it is back; an emptied Redis ends sessions and no more",
                Promise.P3,
                Promise.P4,
                Promise.P5);
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        RedisServer redis = ground.stopAtEnd(RedisServer.start());
        Instance service = ground.start(ground.service().with("REDIS_URL", redis.url()));
        People people = People.register(service.address(), service.address(), "user-", WORKERS + 1);
        away(ground, findings, service, people, "killed", redis::kill, redis::restart);
        away(ground, findings, service, people, "hung", redis::pause, redis::resume);
        emptied(findings, service, people.get(WORKERS), redis);
    }

    /** Something that is done to the server. */
    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }

    private static void away(
            Ground ground, Findings findings, Instance service, People people, String how, Deed begin, Deed end)
            throws Exception {
        Person ada = people.get(WORKERS);
        int millis = ground.rounds(20_000, 4_000);
        try (Connection connection = service.connect(TIMEOUT);
                OpenLoop load = new OpenLoop(50, WORKERS, people.logins(service.address(), WORKERS, TIMEOUT))) {
            String token = ada.login(connection).field("token");
            Thread.sleep(1_000);
            begin.run();
            long gone = load.now();
            Thread.sleep(millis / 2);
            Answer refused = ada.options(connection);
            int withToken = connection
                    .get("/auth/passkey/credentials", "Authorization: Bearer " + token)
                    .status();
            boolean ready = service.ready();
            int live = service.get("/health/live").status();
            double degraded = service.metric("storage_degraded{store=\"redis\"}");
            Thread.sleep(millis / 2);
            long back = load.now();
            end.run();
            Thread.sleep(ground.rounds(12_000, 5_000));
            Outcome outcome = load.stop();
            Outcome meanwhile = outcome.between(gone + 100_000_000, back);
            findings.expect(
                    meanwhile.ok() == 0
                            && meanwhile.count(503) == meanwhile.count()
                            && meanwhile.slowestMillis() < DEADLINE_MILLIS,
                    "%s: %s",
                    how,
                    meanwhile);
            String retryAfter = String.valueOf(refused.header("Retry-After"));
            findings.expect(
                    refused.status() == 503 && retryAfter.matches("\\d+"),
                    "%d, Retry-After %s",
                    refused.status(),
                    retryAfter);
            findings.expect(withToken == 200, "with a token %d", withToken);
            findings.expect(!ready && live == 200 && degraded == 1, "unready, alive, degraded %.0f", degraded);
            double healed = outcome.millisToSuccessAfter(back);
            findings.expect(healed < 10_000, "logins again after %.1f s", healed / 1_000);
            findings.expect(service.metric("storage_degraded{store=\"redis\"}") == 0, "no longer degraded");
        }
    }

    private static void emptied(Findings findings, Instance service, Person ada, RedisServer redis) throws Exception {
        try (Connection connection = service.connect(TIMEOUT)) {
            Answer login = ada.login(connection);
            String cookie = String.valueOf(login.header("Set-Cookie")).split(";", 2)[0];
            Answer options = ada.options(connection);
            redis.flush();
            int session = connection.get("/auth/session", "Cookie: " + cookie).status();
            int finish = ada.finish(connection, ada.respond(options)).status();
            int token = connection
                    .get("/auth/session", "Authorization: Bearer " + login.field("token"))
                    .status();
            findings.expect(
                    session == 401
                            && finish == 401
                            && token == 200
                            && ada.login(connection).ok(),
                    "emptied: session %d, challenge %d, token %d, then a login passes",
                    session,
                    finish,
                    token);
        }
    }
}
