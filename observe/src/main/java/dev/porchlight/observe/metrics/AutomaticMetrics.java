// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * The metrics every service has without asking: HTTP requests, the heap, the database pool, the process, the JVM, and the
 * registry's account of itself. Thread-safe. Closing it stops the heap's background sampling.
 */
public final class AutomaticMetrics implements AutoCloseable {
    private final HttpMetrics http;
    private final HeapSampler heap;
    private volatile PoolSource pool = PoolSource.NONE;

    /** Registers them all. */
    public AutomaticMetrics(MetricRegistry registry) {
        this(registry, new HeapSampler());
    }

    AutomaticMetrics(MetricRegistry registry, HeapSampler heap) {
        this.heap = heap;
        http = new HttpMetrics(registry);
        registry.callbackGauge("process_heap_bytes", "Used heap, sampled every 5 s.", heap::latest);
        registry.callbackGauge(
                "db_pool_connections", "Connections of the database pool, by state.", this::readPool, "state");
        ProcessMetrics.register(registry);
        JvmMetrics.register(registry);
        registerAccount(registry);
        heap.start();
    }

    /** Where the HTTP layer records its requests. */
    public HttpMetrics http() {
        return http;
    }

    /** The latest sample of the used heap, at most five seconds old. */
    public long heapBytes() {
        return heap.latest();
    }

    /** Attaches the pool that {@code db_pool_connections} shows from now on. */
    public void pool(PoolSource source) {
        pool = source == null ? PoolSource.NONE : source;
    }

    @Override
    public void close() {
        heap.close();
    }

    private void readPool(Samples samples) {
        PoolSource source = pool;
        samples.sample(source.idle(), "idle");
        samples.sample(source.active(), "active");
        samples.sample(source.waiting(), "waiting");
    }

    private static void registerAccount(MetricRegistry registry) {
        registry.callbackCounter(
                "obs_series_overflow_total",
                "Label sets folded into a metric's overflow series.",
                samples -> registry.metrics().stream()
                        .filter(metric -> metric.overflowed() > 0)
                        .forEach(metric -> samples.sample((double) metric.overflowed(), metric.name())),
                "metric");
        registry.callbackCounter(
                "obs_metric_misuse_total",
                "Recordings refused and callbacks that failed, by metric.",
                samples -> registry.metrics().stream()
                        .filter(metric -> metric.misused() > 0)
                        .forEach(metric -> samples.sample((double) metric.misused(), metric.name())),
                "metric");
        registry.callbackSummary(
                "obs_scrape_duration_seconds",
                "Scrapes before this one and the time it took to write them.",
                totals -> totals.sample(registry.scrapes(), registry.scrapeNanos() / 1e9));
    }
}
