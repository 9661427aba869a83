// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Backends;
import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;

/** R13: Redis is killed, hung and emptied under load. */
public final class RedisGone {

    public void run(TestBed bed, Findings findings) throws Exception {
        Backends backends = bed.backends();
        RedisServer redis = backends.redis();
        Instance service = backends.service();
        Duration length = Duration.ofSeconds(20);
        Outage outage = new Outage("redis-gone", bed, service, findings);
        Person ada;
        String token;
        try (Connection connection = service.connect(Patience.LIMIT)) {
            ada = Person.register(connection, service.address(), "redis-gone");
            token = ada.login(connection).field("token");
        }
        outage.run("killed", 50, length, redis::kill, () -> {
            look(findings, service, token);
            redis.restart();
        });
        outage.run("hung", 50, length, redis::pause, () -> {
            look(findings, service, token);
            redis.resume();
        });
        emptied(findings, service, ada, redis);
        findings.expect(degraded(service) == 0, "no longer degraded");
    }

    private static void look(Findings findings, Instance service, String token) throws IOException {
        int session =
                service.get("/auth/session", "Authorization: Bearer " + token).status();
        findings.expect(session == 200, "a token gets %d", session);
        findings.expect(degraded(service) == 1, "degraded is %.0f", degraded(service));
    }

    private static double degraded(Instance service) throws IOException {
        return service.metric("storage_degraded{store=\"redis\"}");
    }

    private static void emptied(Findings findings, Instance service, Person ada, RedisServer redis) throws IOException {
        try (Connection connection = service.connect(Patience.LIMIT)) {
            Response login = ada.login(connection);
            Response options = ada.options(connection);
            redis.flush();
            int session =
                    connection.get("/auth/session", "Cookie: " + login.cookie()).status();
            int finish = ada.finish(connection, ada.respond(options)).status();
            int token = connection
                    .get("/auth/session", "Authorization: Bearer " + login.field("token"))
                    .status();
            findings.expect(
                    session == 401
                            && finish == 200
                            && token == 200
                            && ada.login(connection).ok(),
                    "emptied: session %d, login in progress %d, token %d, then a login succeeds",
                    session,
                    finish,
                    token);
        }
    }
}
