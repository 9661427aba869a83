// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.pressure;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * R21: ten times the service's login capacity. Service and load generator run on separate cores, so that
 * they do not slow each other down.
 */
public final class SustainedOverload {
    private static final String OPTIONS = "/auth/passkey/login/options?userId=stranger";
    private static final int WORKERS = 512;
    private static final int AT_CAPACITY = 32;

    public void run(TestBed bed) throws Exception {
        String taskset = Program.require("taskset");
        pin("1");
        try {
            overload(bed, bed.start(bed.serviceWithDeadline().behind(taskset, "-c", "0")));
        } finally {
            pin("0-" + (Runtime.getRuntime().availableProcessors() - 1));
        }
    }

    /** Pins this process to these cores. */
    private static void pin(String cores) throws IOException, InterruptedException {
        String pid = Long.toString(ProcessHandle.current().pid());
        Program.run("taskset", "-a", "-p", "-c", cores, pid);
    }

    private static void overload(TestBed bed, Instance service) throws IOException, InterruptedException {
        URI address = service.address();
        People people = People.register(address, "user-", WORKERS);
        Duration settle = Duration.ofSeconds(bed.rounds(20, 5));
        Loop.closed(AT_CAPACITY, people.logins(address, AT_CAPACITY, Patience.LIMIT))
                .runFor(settle);
        Outcome before = Loop.closed(AT_CAPACITY, people.logins(address, AT_CAPACITY, Patience.LIMIT))
                .runFor(settle);
        double most = before.okPerSecond();

        Loop flood = Loop.open(10 * most, WORKERS, people.logins(address, WORKERS, Patience.LIMIT));
        Thread.sleep(bed.rounds(120_000, 10_000));
        int health = service.get("/health/live").status();
        // one request at a time: its latency is the service's, not the load generator's
        Outcome strangers = Loop.closed(
                        1,
                        worker -> Task.over(
                                service.connect(), it -> it.get(OPTIONS).status()))
                .runFor(Duration.ofSeconds(5));
        String retryAfter = retryAfter(service);
        Outcome during = flood.stop();
        Outcome after = Loop.closed(AT_CAPACITY, people.logins(address, AT_CAPACITY, Patience.LIMIT))
                .runFor(Duration.ofSeconds(10));

        double offered = during.count() / (during.length().toNanos() / 1e9);
        Outcome shed = during.only(it -> it.status() == 503);
        bed.expect(
                offered >= 9 * most,
                "capacity %,.0f logins/s; offered %,.0f/s, %.1f times as many",
                most,
                offered,
                offered / most);
        bed.expect(
                during.okPerSecond() >= 0.8 * most,
                "goodput %,.0f/s, %.0f %%",
                during.okPerSecond(),
                100 * during.okPerSecond() / most);
        bed.expect(during.ok() + shed.count() == during.count(), "%s %s", during.statuses(), during.failures());
        Outcome refused = strangers.only(it -> it.status() == 503);
        bed.expect(
                refused.count() > 0 && refused.millis(0.5) < 50,
                "a separate client was refused %,d times: p50 %.1f ms, p99 %.1f ms",
                refused.count(),
                refused.millis(0.5),
                refused.millis(0.99));
        bed.expect(!retryAfter.isEmpty(), "Retry-After %s", retryAfter);
        bed.expect(health == 200, "health %d during the flood", health);
        bed.expect(after.allOk() && after.okPerSecond() >= 0.8 * most, "afterwards %,.0f/s", after.okPerSecond());
    }

    /** Retry-After of the first refusal, or empty. */
    private static String retryAfter(Instance service) throws IOException {
        for (int i = 0; i < 100; i++) {
            String header = service.get(OPTIONS).header("Retry-After");
            if (header != null) {
                return header;
            }
        }
        return "";
    }
}
