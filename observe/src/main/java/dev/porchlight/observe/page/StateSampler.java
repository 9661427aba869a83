// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.health.CheckReport;
import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.health.HealthReport;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.AutomaticMetrics;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.PoolState;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.profile.RouteStatistics;
import dev.porchlight.observe.wire.WireBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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

    private final Sources sources;
    private final InstantSource clock;
    private final Duration interval;
    private final Supplier<String> members;
    private final Consumer<String> listener;
    private final CounterGrowth growth;
    private long lastNanos = System.nanoTime();
    private volatile List<Sample> samples = List.of();

    /** What is sampled. */
    public record Sources(
            MetricRegistry metrics,
            AutomaticMetrics automatic,
            HealthRegistry health,
            RouteProfiler profiler,
            Logger logger) {}

    private record Sample(long millis, String json) {}

    /**
     * Creates a sampler, which must be run once per interval.
     *
     * @param members returns more members of a sample's JSON object, or an empty string
     * @param listener receives every new sample as JSON
     */
    public StateSampler(
            Sources sources,
            InstantSource clock,
            Duration interval,
            Supplier<String> members,
            Consumer<String> listener) {
        this.sources = sources;
        this.clock = clock;
        this.interval = interval;
        this.members = members;
        this.listener = listener;
        growth = new CounterGrowth(sources.metrics());
    }

    /** Returns all samples as JSON, oldest first. */
    public byte[] history() {
        return history(Long.MIN_VALUE);
    }

    /** Returns the samples after a time, in milliseconds since 1970, as JSON, oldest first. */
    public byte[] history(long afterMillis) {
        String chosen = samples.stream()
                .filter(sample -> sample.millis() > afterMillis)
                .map(Sample::json)
                .collect(Collectors.joining(","));
        return ("{\"intervalMs\":" + interval.toMillis() + ",\"samples\":[" + chosen + "]}").getBytes(UTF_8);
    }

    /** Takes a sample, and logs a failure. */
    @Override
    public void run() {
        try {
            sample();
        } catch (RuntimeException e) {
            sources.logger().warn("taking a sample for the plots failed", e);
        }
    }

    /** Takes a sample. Must not be called concurrently. */
    void sample() {
        Sample sample = take();
        List<Sample> all = new ArrayList<>(samples);
        all.add(sample);
        samples = List.copyOf(all.subList(Math.max(0, all.size() - MAX_SAMPLES), all.size()));
        listener.accept(sample.json());
    }

    private Sample take() {
        HealthReport health = sources.health().ready(); // first, because it may be slow
        long now = System.nanoTime();
        long elapsedMs = Math.max(1, (now - lastNanos) / 1_000_000);
        lastNanos = now;
        long millis = clock.millis();
        WireBuffer out = new WireBuffer(1024).ascii("{\"t\":").decimal(millis);
        out.ascii(",\"ms\":").decimal(elapsedMs).put(',');
        String more = members.get();
        out.utf8(more).ascii(more.isEmpty() ? "" : ",").ascii("\"requests\":{");
        requests(out);
        out.ascii("},\"routes\":[");
        routes(out);
        PoolState pool = sources.automatic().poolState();
        out.ascii("],\"pool\":{\"idle\":").decimal(pool.idle());
        out.ascii(",\"active\":").decimal(pool.active());
        out.ascii(",\"waiting\":").decimal(pool.waiting());
        out.ascii("},\"heap\":{\"used\":").decimal(sources.automatic().heapBytes());
        out.ascii(",\"max\":").decimal(Runtime.getRuntime().maxMemory());
        out.ascii("},\"ready\":").ascii(Boolean.toString(health.ok())).ascii(",\"health\":{");
        checks(out, health);
        return new Sample(millis, out.ascii("}}").toString());
    }

    private void requests(WireBuffer out) {
        Map<String, Long> byClass = new TreeMap<>();
        growth.of("http_requests_total")
                .forEach(series -> byClass.merge(statusClass(series.label("status")), series.count(), Long::sum));
        String separator = "";
        for (Map.Entry<String, Long> each : byClass.entrySet()) {
            out.ascii(separator).jsonString(each.getKey()).put(':').decimal(each.getValue());
            separator = ",";
        }
    }

    private static String statusClass(String status) {
        return status.matches("[1-5]\\d\\d") ? status.charAt(0) + "xx" : "other";
    }

    private void routes(WireBuffer out) {
        List<Map.Entry<String, RouteStatistics>> busiest = sources.profiler().lastMinute().entrySet().stream()
                .filter(route -> route.getValue().count() > 0)
                .sorted(BUSIEST_FIRST)
                .limit(MAX_ROUTES)
                .toList();
        String separator = "";
        for (Map.Entry<String, RouteStatistics> route : busiest) {
            RouteStatistics statistics = route.getValue();
            out.ascii(separator).ascii("{\"route\":").jsonString(route.getKey());
            out.ascii(",\"count\":").decimal(statistics.count());
            out.ascii(",\"p50\":").ascii(micros(statistics.p50()));
            out.ascii(",\"p95\":").ascii(micros(statistics.p95()));
            out.ascii(",\"p99\":").ascii(micros(statistics.p99())).put('}');
            separator = ",";
        }
    }

    private static String micros(double millis) {
        return Double.toString(Math.round(millis * 1e3) / 1e3);
    }

    private void checks(WireBuffer out, HealthReport ready) {
        String separator = "";
        for (CheckReport check : Stream.concat(sources.health().live().checks().stream(), ready.checks().stream())
                .toList()) {
            out.ascii(separator).jsonString(check.name()).put(':');
            out.jsonString(check.status().word());
            separator = ",";
        }
    }
}
