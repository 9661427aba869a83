// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Event;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.server.MissingProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;

/** A wall clock of processes that can be set while they run. Monotonic time is not affected. Not thread-safe. */
public final class FakeClock {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private final Path file;
    private Duration ahead;

    /** A clock with the real time. */
    public FakeClock(TestBed bed) throws IOException {
        this(bed, "clock", Duration.ZERO);
    }

    /** A named clock that is ahead of the real time; a negative duration is behind it. */
    public FakeClock(TestBed bed, String name, Duration ahead) throws IOException {
        file = bed.directory().resolve(name);
        this.ahead = ahead;
        write();
    }

    /** Gives the launched process this clock. */
    public Launch on(Launch launch) throws IOException, MissingProgramException {
        return FakeTime.preload(launch)
                .with("FAKETIME_TIMESTAMP_FILE", file.toString())
                .with("FAKETIME_NO_CACHE", "1");
    }

    /** Sets the clock, compared with the real time, and waits until the service uses it. */
    public void set(Duration ahead, Connection service) throws IOException, InterruptedException {
        this.ahead = ahead;
        write();
        Event seen = () -> ahead.minus(ahead(service)).abs().compareTo(TOLERANCE) < 0;
        if (!seen.await(TIMEOUT)) {
            throw new IOException("the service's clock is not " + ahead + " ahead");
        }
    }

    /** Moves the clock forward. */
    public void advance(Duration time, Connection service) throws IOException, InterruptedException {
        set(ahead.plus(time), service);
    }

    /** The time on this clock. */
    public Instant now() {
        return Instant.now().plus(ahead);
    }

    /** The processes read the file whenever they need the time. */
    private void write() throws IOException {
        Path next = Files.writeString(
                file.resolveSibling("next-" + file.getFileName()), "%+d\n".formatted(ahead.toSeconds()));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Duration ahead(Connection service) throws IOException {
        String date = String.valueOf(service.get("/health/live").header("Date"));
        return Duration.between(Instant.now(), DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
    }
}
