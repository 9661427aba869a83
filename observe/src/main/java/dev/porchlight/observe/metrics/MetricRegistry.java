// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.WireBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The metrics of one service, and the text they are scraped as.
 *
 * <p>There is no global registry: make one and pass it on. A name is registered once; asking again is refused, for two
 * owners of one metric would spoil each other's numbers. Thread-safe.
 *
 * <pre>{@code
 * var registry = new MetricRegistry();
 * Counter logins = registry.counter("logins_total", "Logins by result.", "result");
 * Histogram queries = registry.histogram("query_seconds", "Query time.", Histogram.latencyBuckets(), "table");
 * logins.inc(Map.of("result", "ok"));
 * queries.with("credential").observeNanos(System.nanoTime() - start);
 * registry.scrape(Negotiation.of(accept, acceptEncoding), response);
 * }</pre>
 */
public final class MetricRegistry {
    /** How many series a metric may have unless told otherwise. */
    public static final int SERIES_LIMIT = 2_000;

    private final Settings settings;
    private final ReentrantLock registering = new ReentrantLock();
    private final Map<String, Family> owners = new HashMap<>();
    private volatile Metric<?>[] metrics = new Metric<?>[0];
    private final BufferPool buffers = new BufferPool();
    private final LongAdder scrapes = new LongAdder();
    private final LongAdder scrapeNanos = new LongAdder();

    /** A registry with the default limit of series, no listener and no exemplars. */
    public MetricRegistry() {
        this(SERIES_LIMIT, overflow -> {}, misuse -> {}, Exemplars.NO_TRACES);
    }

    /**
     * @param seriesLimit how many series a metric may have before further label sets share the overflow series
     * @param onOverflow told once per metric, in the recording thread, when that happens
     * @param currentSpan the span the recording thread is in, which exemplars point to
     */
    public MetricRegistry(int seriesLimit, Consumer<SeriesOverflow> onOverflow, Supplier<SpanContext> currentSpan) {
        this(seriesLimit, onOverflow, misuse -> {}, currentSpan);
    }

    /**
     * @param seriesLimit how many series a metric may have before further label sets share the overflow series
     * @param onOverflow notified once per metric, in the recording thread, when that happens
     * @param onMisuse notified once per metric, in the recording thread, when a recording is refused
     * @param currentSpan the span the recording thread is in, which exemplars point to
     */
    public MetricRegistry(
            int seriesLimit,
            Consumer<SeriesOverflow> onOverflow,
            Consumer<MetricMisuse> onMisuse,
            Supplier<SpanContext> currentSpan) {
        settings = new Settings(seriesLimit, onOverflow, onMisuse, new Exemplars(currentSpan));
    }

    /** Registers a counter. In OpenMetrics its samples end in {@code _total}, which is added to a name without it. */
    public Counter counter(String name, String help, String... labelNames) {
        return register(new Counter(family(Type.COUNTER, name, help, labelNames)));
    }

    /** Registers a gauge. */
    public Gauge gauge(String name, String help, String... labelNames) {
        return register(new Gauge(family(Type.GAUGE, name, help, labelNames)));
    }

    /** Registers a histogram with ascending upper bounds, in seconds for durations. The one at infinity is added. */
    public Histogram histogram(String name, String help, double[] upperBounds, String... labelNames) {
        Family family = family(Type.HISTOGRAM, name, help, labelNames);
        double[] bounds = upperBounds == null ? Histogram.latencyBuckets() : upperBounds;
        return register(new Histogram(family, new Buckets(family.name(), bounds)));
    }

    /** Registers a counter without labels that is read at each scrape. */
    public void callbackCounter(String name, String help, DoubleSupplier value) {
        callbackCounter(name, help, samples -> samples.sample(value.getAsDouble()));
    }

    /** Registers a counter that is read at each scrape. */
    public void callbackCounter(String name, String help, Consumer<Samples> callback, String... labelNames) {
        register(CallbackMetric.ofSamples(family(Type.COUNTER, name, help, labelNames), callback));
    }

    /** Registers a gauge without labels that is read at each scrape. */
    public void callbackGauge(String name, String help, DoubleSupplier value) {
        callbackGauge(name, help, samples -> samples.sample(value.getAsDouble()));
    }

    /** Registers a gauge that is read at each scrape. */
    public void callbackGauge(String name, String help, Consumer<Samples> callback, String... labelNames) {
        register(CallbackMetric.ofSamples(family(Type.GAUGE, name, help, labelNames), callback));
    }

    /** Registers a summary, a count and a sum, that is read at each scrape. */
    public void callbackSummary(String name, String help, Consumer<Totals> callback, String... labelNames) {
        register(CallbackMetric.ofTotals(family(Type.SUMMARY, name, help, labelNames), callback));
    }

    /** All metrics, ordered by name. */
    public List<Metric<?>> metrics() {
        return List.of(metrics);
    }

    /** Writes the metrics in the negotiated format, gzipped if so agreed. Leaves {@code out} open. */
    public void scrape(Negotiation negotiation, OutputStream out) throws IOException {
        if (!negotiation.gzip()) {
            scrape(negotiation.format(), out);
            return;
        }
        try (FastGzip gzip = new FastGzip(out)) {
            scrape(negotiation.format(), gzip);
        }
    }

    /** Writes the metrics, each value as it is at this moment, in one piece. Leaves {@code out} open. */
    public void scrape(Format format, OutputStream out) throws IOException {
        WireBuffer buffer = buffers.take();
        try {
            write(new Scrape(buffer, format));
            buffer.writeTo(out);
        } finally {
            buffers.giveBack(buffer);
        }
    }

    /** How many scrapes there were. */
    public long scrapes() {
        return scrapes.sum();
    }

    /** How long all scrapes took together, without the time to send them. */
    public long scrapeNanos() {
        return scrapeNanos.sum();
    }

    private void write(Scrape scrape) {
        long start = System.nanoTime();
        for (Metric<?> metric : metrics) {
            metric.write(scrape);
        }
        if (scrape.openMetrics) {
            scrape.out.ascii("# EOF\n");
            settings.exemplars().shown();
        }
        scrapes.increment();
        scrapeNanos.add(System.nanoTime() - start);
    }

    private Family family(Type type, String name, String help, String... labelNames) {
        List<String> labels = labelNames == null ? List.of() : Arrays.asList(labelNames);
        return new Family(type, name, help, labels, settings);
    }

    private <M extends Metric<?>> M register(M metric) {
        registering.lock();
        try {
            claim(metric.family);
            Metric<?>[] more = Arrays.copyOf(metrics, metrics.length + 1);
            more[metrics.length] = metric;
            Arrays.sort(more, Comparator.comparing(Metric::name));
            metrics = more;
            return metric;
        } finally {
            registering.unlock();
        }
    }

    /** Refuses a name that would stand in the exposition twice, be it as a suffixed sample of another metric. */
    private void claim(Family family) {
        List<String> names = family.reservedNames();
        for (String name : names) {
            Family owner = owners.get(name);
            if (owner != null) {
                throw new IllegalArgumentException(
                        owner.openMetricsName().equals(family.openMetricsName())
                                ? "metric " + owner.name() + " is already registered"
                                : "metric " + family.name() + " clashes with " + owner.name()
                                        + ": both would use the name " + name);
            }
        }
        names.forEach(name -> owners.put(name, family));
    }
}
