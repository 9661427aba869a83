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
 * Checks only for problems that a restart would fix: request threads that are stuck, and deadlocks. No check depends on
 * another service, because its outage would then restart every instance. Thread-safe.
 */
public final class Liveness {
    /** Long, because an overloaded machine can delay every thread by seconds, and a restart does not help it. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private volatile CheckResult deadlocks = CheckResult.up();

    public void register(HealthRegistry health, HttpServer http) {
        health.register(
                "request_threads",
                () -> http.isResponsive(LIMIT)
                        ? CheckResult.up()
                        : CheckResult.down("no request thread was available within " + LIMIT.toSeconds() + " s"),
                CheckOptions.liveness().withTimeoutMs(2 * LIMIT.toMillis()));
        health.register("deadlocks", this::deadlocks, CheckOptions.liveness());
    }

    /** Searches for deadlocked threads. This pauses all threads briefly, so it does not run per request. */
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

    CheckResult deadlocks() {
        return deadlocks;
    }
}
