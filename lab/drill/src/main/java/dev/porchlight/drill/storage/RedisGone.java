// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Services.RedisLimits;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;

/** R13: Redis is killed, hung and emptied under load. */
public final class RedisGone {
    private static final Duration LENGTH = Duration.ofSeconds(20);
    private static final String DEGRADED = "\"degraded\":true";
    private static final Duration HEALED = Duration.ofSeconds(10);
    /** In short mode, this many logins end a phase. */
    private static final int ENOUGH = 20;

    public void run(TestBed bed) throws Exception {
        RedisLimits limits = bed.services().redisLimits();
        RedisServer redis = limits.redis();
        Instance service = limits.service();
        int workers = bed.rounds(64, 24);
        People people = People.register(service.address(), "redis-gone-user-", workers);
        Person ada;
        TestResponse login;
        try (Connection connection = service.connect()) {
            ada = Users.register(connection, service.address(), "redis-gone");
            login = ada.tryLogin();
        }
        int perSecond = bed.rounds(50, 10);
        try (Loop logins =
                Loop.open(perSecond, workers, people.loginRequests(service.address(), workers, Patience.LIMIT))) {
            bed.pass(Duration.ofSeconds(2), logins.successes(ENOUGH));
            redis.kill();
            look("killed", bed, service, login, logins);
            redis.restart();
            expectUsed(bed, service);
            redis.pause();
            look("hung", bed, service, login, logins);
            redis.resume();
            expectUsed(bed, service);
            emptied(bed, service, ada, login, redis);
            Outcome outcome = logins.stop().served();
            bed.expect(outcome.allOk(), "all logins %s", outcome.statuses());
            bed.expect(
                    outcome.slowestMillis() <= bed.limit(Outage.DEADLINE_MILLIS + 500),
                    "p99 %.0f ms, slowest %.0f ms",
                    outcome.millis(0.99),
                    outcome.slowestMillis());
        }
    }

    private static void look(String name, TestBed bed, Instance service, TestResponse login, Loop logins)
            throws IOException, InterruptedException {
        Event noticed = () -> degraded(service) == 1
                && service.get("/health/ready").body().contains(DEGRADED); // looked at now and then
        bed.pass(LENGTH, logins.successes(ENOUGH).and(noticed));
        int live = service.get("/health/live").status();
        TestResponse ready = service.get("/health/ready");
        bed.expect(
                live == 200 && ready.status() == 200 && ready.body().contains(DEGRADED),
                "%s: live %d, ready %d and degraded, gauge %.0f",
                name,
                live,
                ready.status(),
                degraded(service));
        int token = service.get("/auth/session", "Authorization", "Bearer " + login.field("token"))
                .status();
        int session = service.get("/auth/session", "Cookie", login.cookie()).status();
        bed.expect(token == 200 && session == 200, "a token gets %d, a session %d", token, session);
    }

    private static void expectUsed(TestBed bed, Instance service) throws IOException, InterruptedException {
        long repaired = System.nanoTime();
        Event used = () -> degraded(service) == 0;
        bed.expect(
                used.await(bed.limit(HEALED)),
                "no longer degraded %.1f s after the repair",
                (System.nanoTime() - repaired) / 1e9);
    }

    private static double degraded(Instance service) throws IOException {
        return service.metric("storage_degraded{store=\"redis\"}");
    }

    private static void emptied(TestBed bed, Instance service, Person ada, TestResponse login, RedisServer redis)
            throws IOException {
        try (Connection connection = service.connect()) {
            TestResponse options = ada.at(connection).options();
            redis.flush();
            int session =
                    connection.get("/auth/session", "Cookie", login.cookie()).status();
            int finish = ada.at(connection).finishLogin(ada.respond(options)).status();
            bed.expect(session == 200 && finish == 200, "emptied: session %d, login in progress %d", session, finish);
        }
    }
}
