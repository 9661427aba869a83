// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.pressure;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** R43: the service's output is not read for a minute under load. */
public final class UnreadOutput {
    /** The deadline of a request, and a moment for a busy machine. */
    private static final long DEADLINE_MILLIS = 2_500;

    private static final String DROPPED = "obs_log_lines_dropped_total";

    public void run(TestBed bed) throws Exception {
        Path pipe = bed.directory().resolve("output");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        Launch launch = bed.service().behind("sh", "-c", "exec \"$@\" > '" + pipe + "'", "sh");
        // Opened for both, the pipe needs no other end, and the service never gets a broken pipe.
        try (RandomAccessFile output = new RandomAccessFile(pipe.toFile(), "rw")) {
            Instance service = bed.start(launch);
            Event dropped = () -> service.metric(DROPPED) > 0;
            try (Loop logins = bed.signIns("unread-", service, 8, 20, Duration.ofSeconds(1))) {
                bed.pass(Duration.ofMinutes(1), dropped);
                Outcome outcome = logins.stop();
                bed.expect(outcome.allOk(), "unread: logins %s", outcome);
                long slowest = outcome.samples().stream()
                        .mapToLong(it ->
                                Duration.ofNanos(it.latency() - it.waited()).toMillis())
                        .max()
                        .orElse(0);
                bed.expect(slowest < bed.limit(DEADLINE_MILLIS), "a login took at most %d ms", slowest);
            }
            double lost = service.metric(DROPPED);
            bed.expect(lost > 0, "%,.0f lines dropped and counted", lost);
            bed.expect(bed.isReady(service), "ready");
            bed.expect(reports(bed, output, service), "read again: a line reports the dropped ones");
        }
    }

    /** Reads the output, which the service continues, until a line reports dropped lines. */
    private static boolean reports(TestBed bed, RandomAccessFile output, Instance service)
            throws IOException, InterruptedException {
        Path log = bed.directory().resolve("output.log");
        Thread reader = new Thread(() -> {
            byte[] bytes = new byte[64 * 1_024];
            try (OutputStream copy = Files.newOutputStream(log)) {
                for (int n = output.read(bytes); n > 0; n = output.read(bytes)) {
                    copy.write(bytes, 0, n);
                }
            } catch (IOException e) {
                // closed
            }
        });
        reader.setDaemon(true);
        reader.start();
        Event reported = () -> service.get("/health/live").ok()
                && Files.exists(log)
                && Files.readString(log, StandardCharsets.UTF_8).contains("\"log_lines_dropped\"");
        return reported.await(bed.limit(Duration.ofSeconds(20)));
    }
}
