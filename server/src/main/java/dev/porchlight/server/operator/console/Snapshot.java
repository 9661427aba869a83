// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckReport;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.observe.profile.RouteStatistics;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads samples from the metrics and health checks: counters as the increase since the last sample, other values as they
 * are. Not thread-safe.
 */
final class Snapshot {
    private static final int MAX_ROUTES = 16;
    private static final Comparator<Map.Entry<String, RouteStatistics>> BUSIEST_FIRST =
            Comparator.<Map.Entry<String, RouteStatistics>>comparingLong(
                            route -> route.getValue().count())
                    .reversed();

    private final Observability observe;
    private final Supplier<PoolState> pool;
    private final LongSupplier revision;
    private final InstantSource clock;
    private final CounterGrowth requests;
    private final CounterGrowth ceremonies;
    private final CounterGrowth browsers;
    private long lastNanos = System.nanoTime();

    Snapshot(Observability observe, Supplier<PoolState> pool, LongSupplier revision, InstantSource clock) {
        this.observe = observe;
        this.pool = pool;
        this.revision = revision;
        this.clock = clock;
        requests = new CounterGrowth(observe.metrics(), "http_requests_total");
        ceremonies = new CounterGrowth(observe.metrics(), "passkey_ceremonies_total");
        browsers = new CounterGrowth(observe.metrics(), "passkey_browser_outcomes_total");
    }

    String take() {
        HealthReport health = observe.health().ready(); // first, because it may be slow
        List<CheckReport> checks = Stream.concat(observe.health().live().checks().stream(), health.checks().stream())
                .toList();
        long now = System.nanoTime();
        long elapsedMs = Math.max(1, (now - lastNanos) / 1_000_000);
        lastNanos = now;
        return JsonWriter.object(json -> json.number("t", clock.millis())
                .number("ms", elapsedMs)
                .number("revision", revision.getAsLong())
                .object("requests", this::requests)
                .objects("routes", busiest(), Snapshot::route)
                .objects("operations", ceremonies.growth(), Snapshot::operation)
                .objects("browser", browsers.growth(), Snapshot::browser)
                .object("pool", this::pool)
                .object(
                        "heap",
                        heap -> heap.number("used", observe.automatic().heapBytes())
                                .number("max", Runtime.getRuntime().maxMemory()))
                .bool("ready", health.ok())
                .object(
                        "health",
                        states -> checks.forEach(check ->
                                states.text(check.name(), check.status().word()))));
    }

    void logFailure(RuntimeException failure) {
        observe.logger().warn("taking a console sample failed", failure);
    }

    private void requests(JsonWriter json) {
        Map<String, Long> byClass = new TreeMap<>();
        requests.growth()
                .forEach(growth -> byClass.merge(statusClass(growth.label("status")), growth.count(), Long::sum));
        byClass.forEach(json::number);
    }

    private void pool(JsonWriter json) {
        PoolState state = pool.get();
        json.number("idle", state.idle()).number("active", state.active()).number("waiting", state.waiting());
    }

    private static String statusClass(String status) {
        return status.matches("[1-5]\\d\\d") ? status.charAt(0) + "xx" : "other";
    }

    private List<Map.Entry<String, RouteStatistics>> busiest() {
        return observe.profiler().lastMinute().entrySet().stream()
                .filter(route -> route.getValue().count() > 0)
                .sorted(BUSIEST_FIRST)
                .limit(MAX_ROUTES)
                .toList();
    }

    private static void route(JsonWriter json, Map.Entry<String, RouteStatistics> route) {
        RouteStatistics statistics = route.getValue();
        json.text("route", route.getKey())
                .number("count", statistics.count())
                .decimal("p50", micros(statistics.p50()))
                .decimal("p95", micros(statistics.p95()))
                .decimal("p99", micros(statistics.p99()));
    }

    private static void operation(JsonWriter json, CounterGrowth.Growth operation) {
        json.text("operation", operation.label("ceremony")).text("outcome", operation.label("outcome"));
        if (!operation.label("reason").isEmpty()) {
            json.text("reason", operation.label("reason"));
        }
        json.number("count", operation.count());
    }

    private static void browser(JsonWriter json, CounterGrowth.Growth report) {
        json.text("ceremony", report.label("ceremony"))
                .text("outcome", report.label("outcome"))
                .number("count", report.count());
    }

    private static double micros(double millis) {
        return Math.round(millis * 1e3) / 1e3;
    }
}
