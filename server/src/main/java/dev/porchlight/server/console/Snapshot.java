// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.console;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckReport;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.observe.metrics.PoolSource;
import dev.porchlight.observe.profile.RouteStatistics;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads one sample from the registries themselves: counts as what was added since the last one, the rest as it is now. Not
 * thread-safe.
 */
final class Snapshot {
    private static final int MOST_ROUTES = 16;
    private static final Comparator<Map.Entry<String, RouteStatistics>> BUSIEST_FIRST =
            Comparator.<Map.Entry<String, RouteStatistics>>comparingLong(
                            route -> route.getValue().count())
                    .reversed();

    private final Observability observe;
    private final PoolSource pool;
    private final CeremonyHistory history;
    private final InstantSource clock;
    private final Tally requests;
    private final Tally ceremonies;
    private final Tally browsers;
    private long lastNanos = System.nanoTime();

    Snapshot(Observability observe, PoolSource pool, CeremonyHistory history, InstantSource clock) {
        this.observe = observe;
        this.pool = pool;
        this.history = history;
        this.clock = clock;
        requests = new Tally(observe.metrics(), "http_requests_total");
        ceremonies = new Tally(observe.metrics(), "passkey_ceremonies_total");
        browsers = new Tally(observe.metrics(), "passkey_browser_outcomes_total");
    }

    String take() {
        HealthReport health = observe.health().ready(); // first, for it may take a while
        List<CheckReport> checks = Stream.concat(observe.health().live().checks().stream(), health.checks().stream())
                .toList();
        long now = System.nanoTime();
        long elapsedMs = Math.max(1, (now - lastNanos) / 1_000_000);
        lastNanos = now;
        return JsonWriter.object(json -> json.number("t", clock.millis())
                .number("ms", elapsedMs)
                .number("revision", history.revision())
                .object("requests", this::requests)
                .objects("routes", busiest(), Snapshot::route)
                .objects("acts", entries(ceremonies.growth(labels -> labels)), Snapshot::act)
                .objects("browser", entries(browsers.growth(labels -> labels)), Snapshot::browser)
                .object(
                        "pool",
                        states -> states.number("idle", pool.idle())
                                .number("active", pool.active())
                                .number("waiting", pool.waiting()))
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

    void complain(RuntimeException fault) {
        observe.logger().warn("a sample for the console could not be taken; the next may", fault);
    }

    private void requests(JsonWriter json) {
        requests.growth(labels -> List.of(statusClass(labels.get(2))))
                .forEach((statusClass, count) -> json.number(statusClass.get(0), count));
    }

    private static String statusClass(String status) {
        return status.matches("[1-5]\\d\\d") ? status.charAt(0) + "xx" : "other";
    }

    private List<Map.Entry<String, RouteStatistics>> busiest() {
        return observe.profiler().lastMinute().entrySet().stream()
                .filter(route -> route.getValue().count() > 0)
                .sorted(BUSIEST_FIRST)
                .limit(MOST_ROUTES)
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

    private static void act(JsonWriter json, Map.Entry<List<String>, Long> act) {
        json.text("act", act.getKey().get(0)).text("outcome", act.getKey().get(1));
        if (!act.getKey().get(2).isEmpty()) {
            json.text("reason", act.getKey().get(2));
        }
        json.number("count", act.getValue());
    }

    private static void browser(JsonWriter json, Map.Entry<List<String>, Long> report) {
        json.text("ceremony", report.getKey().get(0))
                .text("outcome", report.getKey().get(1))
                .number("count", report.getValue());
    }

    private static List<Map.Entry<List<String>, Long>> entries(Map<List<String>, Long> growth) {
        return List.copyOf(growth.entrySet());
    }

    private static double micros(double millis) {
        return Math.round(millis * 1e3) / 1e3;
    }
}
