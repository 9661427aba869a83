// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The built-in metrics: HTTP requests, heap, database pool, process, JVM, and the registry itself. Closing stops the
 * background sampling of the heap. Thread-safe.
 */
public final class AutomaticMetrics implements AutoCloseable {
    private final HttpMetrics http;
    private final HeapSampler heap;
    private static final PoolState NO_POOL = new PoolState(0, 0, 0);

    private volatile Supplier<PoolState> pool = () -> NO_POOL;

    /** Registers all built-in metrics. */
    public AutomaticMetrics(MetricRegistry registry) {
        this(registry, new HeapSampler());
    }

    AutomaticMetrics(MetricRegistry registry, HeapSampler heap) {
        this.heap = heap;
        http = new HttpMetrics(registry);
        registry.gauge("process_heap_bytes")
                .help("Used heap, sampled every 5 s.")
                .read(heap::latest);
        registry.gauge("db_pool_connections")
                .help("Connections of the database pool, by state.")
                .labels("state")
                .read(samples -> {
                    PoolState state = poolState();
                    samples.sample(state.idle(), "idle");
                    samples.sample(state.active(), "active");
                    samples.sample(state.waiting(), "waiting");
                });
        ProcessMetrics.register(registry);
        JvmMetrics.register(registry);
        registerOwn(registry);
        heap.start();
    }

    /** Returns the metrics of HTTP requests. */
    public HttpMetrics http() {
        return http;
    }

    /** Returns the latest sample of the used heap, at most five seconds old. */
    public long heapBytes() {
        return heap.latest();
    }

    /** Sets the pool that {@code db_pool_connections} shows. */
    public void pool(Supplier<PoolState> source) {
        pool = source == null ? () -> NO_POOL : source;
    }

    /** Returns the state of that pool; all zero if there is none. */
    public PoolState poolState() {
        return pool.get();
    }

    @Override
    public void close() {
        heap.close();
    }

    private static void registerOwn(MetricRegistry registry) {
        byMetric(
                registry,
                "obs_series_overflow_total",
                "Label sets folded into a metric's overflow series.",
                Metric::overflowCount);
        byMetric(
                registry,
                "obs_label_values_truncated_total",
                "Label values truncated because of their length, by metric.",
                Metric::truncatedCount);
        byMetric(
                registry,
                "obs_metric_misuse_total",
                "Recordings refused and callbacks that failed, by metric.",
                Metric::refusedCount);
        registry.summary("obs_scrape_duration_seconds")
                .help("Duration of earlier scrapes.")
                .read(totals -> totals.sample(registry.scrapes(), registry.scrapeNanos() / 1e9));
    }

    private static void byMetric(MetricRegistry registry, String name, String help, ToLongFunction<Metric<?>> count) {
        registry.counter(name).help(help).labels("metric").read(samples -> {
            for (Metric<?> metric : registry.metrics()) {
                long number = count.applyAsLong(metric);
                if (number > 0) {
                    samples.sample((double) number, metric.family.name);
                }
            }
        });
    }
}
