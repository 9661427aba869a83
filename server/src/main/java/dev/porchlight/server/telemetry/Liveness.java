// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.server.http.HttpServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a restart would fix, and nothing else: request threads that take up no work, and threads that wait for each other for
 * ever. No check depends on another service, whose outage would have every instance restarted. Thread-safe.
 */
public final class Liveness {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private volatile CheckResult deadlocks = CheckResult.up();

    public void register(HealthRegistry health, HttpServer http) {
        health.register(
                "request_threads",
                () -> http.takesWork(LIMIT)
                        ? CheckResult.up()
                        : CheckResult.down("no request thread took up work within " + LIMIT.toMillis() + " ms"),
                CheckOptions.liveness());
        health.register("deadlocks", this::deadlocks, CheckOptions.liveness());
    }

    /** Looks for deadlocked threads. This stops all threads for a moment, so it is not done on request. */
    public void findDeadlocks() {
        long[] ids = threads.findDeadlockedThreads();
        List<String> names = ids == null
                ? List.of()
                : Stream.of(threads.getThreadInfo(ids))
                        .filter(Objects::nonNull)
                        .map(ThreadInfo::getThreadName)
                        .toList();
        deadlocks = names.isEmpty() ? CheckResult.up() : CheckResult.down("deadlocked threads: " + names);
    }

    /** What the last search found. */
    CheckResult deadlocks() {
        return deadlocks;
    }
}
