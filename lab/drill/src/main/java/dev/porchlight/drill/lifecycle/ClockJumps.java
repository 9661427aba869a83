// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.scenario.FakeTime;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.server.MissingProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;

/**
 * R24: the wall clock jumps one hour forward, one hour back, ten years forward, and by the skew of two machines' clocks.
 */
public final class ClockJumps {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    public void run(TestBed bed) throws Exception {
        FakeClock clock = new FakeClock(bed.directory().resolve("clock"));
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

    /** A wall clock that can be set while the process runs. Monotonic time is not affected. */
    private static final class FakeClock {
        private static final Duration TOLERANCE = Duration.ofSeconds(10);

        private final Path file;

        FakeClock(Path file) throws IOException {
            this.file = file;
            write(Duration.ZERO);
        }

        Launch on(Launch launch) throws IOException, MissingProgramException {
            return FakeTime.preload(launch)
                    .with("FAKETIME_TIMESTAMP_FILE", file.toString())
                    .with("FAKETIME_NO_CACHE", "1");
        }

        /** Sets the clock and waits until the service uses it. */
        void set(Duration ahead, Connection service) throws IOException, InterruptedException {
            write(ahead);
            Event seen = () -> ahead.minus(ahead(service)).abs().compareTo(TOLERANCE) < 0;
            if (!seen.await(TIMEOUT)) {
                throw new IOException("the service's clock is not " + ahead + " ahead");
            }
        }

        /** Sets the clock; the process reads the file whenever it needs the time. */
        private void write(Duration ahead) throws IOException {
            Path next = Files.writeString(file.resolveSibling("next-clock"), "+" + ahead.toSeconds() + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }

        private static Duration ahead(Connection service) throws IOException {
            String date = String.valueOf(service.get("/health/live").header("Date"));
            return Duration.between(Instant.now(), DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        }
    }
}
