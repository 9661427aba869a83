// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * R24: the wall clock jumps one hour forward, one hour back, ten years forward, and by the skew of two machines' clocks.
 */
public final class ClockJumps {
    public void run(TestBed bed) throws Exception {
        FakeClock clock = new FakeClock(bed);
        Instance service = bed.start(clock.on(bed.service()));
        try (Connection connection = service.connect()) {
            Person ada = Users.register(connection, service.address(), "ada");
            jumps(clock, ada, connection, bed);
            skew(clock, ada, connection, bed);
        }
        bed.expect(bed.isReady(service), "ready");
    }

    private static void jumps(FakeClock clock, Person ada, Connection connection, TestBed bed)
            throws IOException, InterruptedException {
        String early = ada.tryLogin().field("token");
        TestResponse options = ada.options();
        clock.set(Duration.ofHours(1), connection);
        bed.expect(ada.finishLogin(ada.respond(options)).status() == 401, "+1 h: an expired challenge is refused");
        bed.expect(status(connection, early) == 401, "an expired token is refused");
        TestResponse inTheFuture = ada.tryLogin();
        bed.expect(inTheFuture.ok(), "a login succeeds");
        clock.set(Duration.ZERO, connection);
        bed.expect(status(connection, early) == 200, "-1 h: a token within its lifetime is accepted");
        bed.expect(status(connection, inTheFuture.field("token")) == 401, "one from an hour ahead is refused");
        bed.expect(ada.tryLogin().ok(), "a login succeeds");
        TestResponse before = ada.options();
        clock.set(Duration.ofDays(3_650), connection);
        bed.expect(ada.finishLogin(ada.respond(before)).status() == 401, "+10 years: a challenge of today is refused");
        bed.expect(ada.tryLogin().ok(), "a login succeeds");
    }

    private static void skew(FakeClock clock, Person ada, Connection connection, TestBed bed)
            throws IOException, InterruptedException {
        clock.set(Duration.ofSeconds(40), connection);
        String little = ada.tryLogin().field("token");
        clock.set(Duration.ofSeconds(90), connection);
        String much = ada.tryLogin().field("token");
        TestResponse started = ada.options();
        clock.set(Duration.ZERO, connection);
        bed.expect(status(connection, little) == 200, "a token from 40 s ahead is accepted");
        bed.expect(status(connection, much) == 401, "one from 90 s ahead is not");
        bed.expect(ada.finishLogin(ada.respond(started)).ok(), "a login started 90 s ahead is finished here");
    }

    private static int status(Connection connection, String token) throws IOException {
        return connection
                .get("/auth/session", "Authorization", "Bearer " + token)
                .status();
    }
}
