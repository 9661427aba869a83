// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckReport;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.observe.metrics.MetricSnapshot;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.observe.profile.RouteStatistics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Samples the metrics and health checks, counters as the increase since the last sample, and keeps slightly more than an hour of
 * samples. Memory is bounded: a fixed number of samples, each as JSON of bounded size. {@link #history} is thread-safe; samples
 * are taken by one thread at a time.
 */
public final class StateSampler implements Runnable {
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The number of samples to keep: slightly more than an hour of {@link #INTERVAL}. */
    static final int MAX_SAMPLES = 750;

    private static final int MAX_ROUTES = 16;
    private static final Comparator<Map.Entry<String, RouteStatistics>> BUSIEST_FIRST =
            Comparator.<Map.Entry<String, RouteStatistics>>comparingLong(
                            route -> route.getValue().count())
                    .reversed();

    private final Observability observe;
    private final Supplier<PoolState> pool;
    private final LongSupplier revision;
    private final InstantSource clock;
    private final Duration interval;
    private final Consumer<String> listener;
    /** The values of the counters' series at the last sample. */
    private final Map<String, Map<Map<String, String>, Long>> lastValues = new HashMap<>();

    private long lastNanos = System.nanoTime();
    private volatile List<String> samples = List.of();

    /**
     * Creates a sampler, which must be run once per interval.
     *
     * @param revision changes with each event of a ceremony
     * @param listener receives every new sample as JSON
     */
    public StateSampler(
            Observability observe,
            Supplier<PoolState> pool,
            LongSupplier revision,
            InstantSource clock,
            Duration interval,
            Consumer<String> listener) {
        this.observe = observe;
        this.pool = pool;
        this.revision = revision;
        this.clock = clock;
        this.interval = interval;
        this.listener = listener;
    }

    /** Returns all samples as JSON, oldest first. */
    public byte[] history() {
        String json = "{\"intervalMs\":" + interval.toMillis() + ",\"samples\":[" + String.join(",", samples) + "]}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** Takes a sample, and logs a failure. */
    @Override
    public void run() {
        try {
            sample();
        } catch (RuntimeException e) {
            observe.logger().warn("taking a console sample failed", e);
        }
    }

    /** Takes a sample. Must not be called concurrently. */
    void sample() {
        String json = take();
        List<String> all = new ArrayList<>(samples);
        all.add(json);
        samples = List.copyOf(all.subList(Math.max(0, all.size() - MAX_SAMPLES), all.size()));
        listener.accept(json);
    }

    private String take() {
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
                .objects("routes", busiest(), StateSampler::route)
                .objects("operations", growth("passkey_ceremonies_total"), StateSampler::operation)
                .objects("browser", growth("passkey_browser_outcomes_total"), StateSampler::browser)
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

    /** The growth of one series of a counter. */
    private record Growth(Map<String, String> labels, long count) {
        String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }

    /** Returns the series that grew since the last sample, ordered by label values. Empty until the counter is registered. */
    private List<Growth> growth(String counter) {
        Map<Map<String, String>, Long> last = lastValues.computeIfAbsent(counter, name -> new HashMap<>());
        List<Growth> growth = new ArrayList<>();
        observe.metrics()
                .snapshot(counter)
                .map(MetricSnapshot::series)
                .orElse(List.of())
                .forEach(series -> {
                    long value = (long) series.value();
                    Long before = last.put(series.labels(), value);
                    long increase = value - (before == null ? 0 : before);
                    if (increase > 0) {
                        growth.add(new Growth(series.labels(), increase));
                    }
                });
        return growth;
    }

    private void requests(JsonWriter json) {
        Map<String, Long> byClass = new TreeMap<>();
        growth("http_requests_total")
                .forEach(growth -> byClass.merge(statusClass(growth.label("status")), growth.count(), Long::sum));
        byClass.forEach(json::number);
    }

    private static String statusClass(String status) {
        return status.matches("[1-5]\\d\\d") ? status.charAt(0) + "xx" : "other";
    }

    private void pool(JsonWriter json) {
        PoolState state = pool.get();
        json.number("idle", state.idle()).number("active", state.active()).number("waiting", state.waiting());
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

    private static double micros(double millis) {
        return Math.round(millis * 1e3) / 1e3;
    }

    private static void operation(JsonWriter json, Growth operation) {
        json.text("operation", operation.label("ceremony")).text("outcome", operation.label("outcome"));
        if (!operation.label("reason").isEmpty()) {
            json.text("reason", operation.label("reason"));
        }
        json.number("count", operation.count());
    }

    private static void browser(JsonWriter json, Growth report) {
        json.text("ceremony", report.label("ceremony"))
                .text("outcome", report.label("outcome"))
                .number("count", report.count());
    }
}
