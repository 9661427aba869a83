// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.HealthCheck;
import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.server.http.HttpServer;
import java.time.Duration;
import java.util.List;

/**
 * What a restart would fix, and nothing else: request threads that take up no work, and threads that wait for each other for
 * ever. No check depends on another service, whose outage would have every instance restarted.
 */
public final class Liveness {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private Liveness() {}

    public static void register(HealthRegistry health, HttpServer http, DeadlockWatch watch) {
        health.register("request_threads", requestThreads(http), CheckOptions.liveness());
        health.register("deadlocks", () -> deadlocks(watch.deadlocked()), CheckOptions.liveness());
    }

    private static HealthCheck requestThreads(HttpServer http) {
        return () -> http.takesWork(LIMIT)
                ? CheckResult.up()
                : CheckResult.down("no request thread took up work within " + LIMIT.toMillis() + " ms");
    }

    static CheckResult deadlocks(List<String> threads) {
        return threads.isEmpty() ? CheckResult.up() : CheckResult.down("deadlocked threads: " + threads);
    }
}
