// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Person;
import dev.porchlight.rig.process.MissingProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** R24: the wall clock jumps an hour on, an hour back, ten years on, and two instances do not agree about it. */
public final class ClockJumps implements Row {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Override
    public About about() {
        return new About(
                "R24",
                "the clock jumps +1 h, -1 h and +10 years while the service runs; of two instances one is 40 s, then 90 s ahead",
                "no login passes with a challenge that has expired; tokens end with their lifetime; those of an instance 40 s"
                        + " ahead are taken and those of one 90 s ahead are not; people sign in throughout",
                Promise.P9,
                Promise.P3);
    }

    @Override
    public void run(Ground ground, Findings findings) throws Exception {
        jumps(ground, findings);
        skew(ground, findings);
    }

    private static void jumps(Ground ground, Findings findings) throws Exception {
        FakeClock clock = new FakeClock(ground.directory().resolve("clock"));
        Instance service = ground.start(clock.on(ground.service()));
        try (Connection connection = service.connect(TIMEOUT)) {
            Person ada = Person.register(connection, service.address(), "ada");
            String early = ada.login(connection).field("token");
            Answer options = ada.options(connection);
            clock.set("+1h");
            findings.expect(
                    ada.finish(connection, ada.respond(options)).status() == 401,
                    "+1 h: an expired challenge is refused");
            findings.expect(status(connection, early) == 401, "an expired token is refused");
            Answer inTheFuture = ada.login(connection);
            findings.expect(inTheFuture.ok(), "a login passes");
            clock.set("+0");
            findings.expect(status(connection, early) == 200, "-1 h: the token that was within its lifetime is good");
            findings.expect(status(connection, inTheFuture.field("token")) == 401, "one from an hour ahead is refused");
            findings.expect(ada.login(connection).ok(), "a login passes");
            Answer before = ada.options(connection);
            clock.set("+10y");
            findings.expect(ada.finish(connection, ada.respond(before)).status() == 401, "+10 years: refused");
            findings.expect(ada.login(connection).ok(), "a login passes");
            findings.expect(service.ready(), "ready");
        }
    }

    private static void skew(Ground ground, Findings findings) throws Exception {
        FakeClock ahead = new FakeClock(ground.directory().resolve("ahead"));
        Launch[] launches = ground.services(2, ground.postgres().jdbcUrl()).toArray(Launch[]::new);
        Instance right = ground.start(launches[0]);
        Instance fast = ground.start(ahead.on(launches[1]));
        try (Connection one = right.connect(TIMEOUT);
                Connection other = fast.connect(TIMEOUT)) {
            Person ada = Person.register(one, right.address(), "ada");
            ahead.set("+40");
            findings.expect(status(one, ada.login(other).field("token")) == 200, "a token from 40 s ahead is taken");
            ahead.set("+90");
            findings.expect(status(one, ada.login(other).field("token")) == 401, "one from 90 s ahead is not");
            Answer options = ada.options(one);
            findings.expect(ada.finish(other, ada.respond(options)).ok(), "a login begun here is finished 90 s ahead");
        }
    }

    private static int status(Connection connection, String token) throws IOException {
        return connection.get("/auth/session", "Authorization: Bearer " + token).status();
    }

    /** A wall clock that can be set while the process runs; what counts elapsed time is left alone. */
    private static final class FakeClock {
        private final Path file;

        FakeClock(Path file) throws IOException {
            this.file = file;
            set("+0");
        }

        Launch on(Launch launch) throws IOException, MissingProgramException {
            return launch.with("LD_PRELOAD", library().toString())
                    .with("FAKETIME_TIMESTAMP_FILE", file.toString())
                    .with("FAKETIME_NO_CACHE", "1")
                    .with("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }

        void set(String offset) throws IOException {
            Files.writeString(file, offset + "\n");
        }

        private static Path library() throws IOException, MissingProgramException {
            try (Stream<Path> directories = Files.list(Path.of("/usr/lib"))) {
                return directories
                        .map(it -> it.resolve("faketime/libfaketimeMT.so.1"))
                        .filter(Files::exists)
                        .findFirst()
                        .orElseThrow(() -> new MissingProgramException("libfaketime is not installed"));
            }
        }
    }
}
