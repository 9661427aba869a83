// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.trace.SpanContext;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one service: registers them, takes snapshots of them, and writes them for a scraper. Thread-safe.
 *
 * <p>There is no global registry: create one and pass it on. A name is registered once; registering it again is refused,
 * because two owners of one metric would spoil each other's numbers.
 *
 * <pre>{@code
 * var metrics = new MetricRegistry();
 * Counter logins = metrics.counter("logins_total").help("Logins, by result.").labels("result").register();
 * Timer queries = metrics.timer("query_seconds").help("Query time.").labels("table").register();
 * metrics.gauge("queue_size").help("Jobs in the queue.").read(queue::size);
 * logins.with("ok").inc();
 * queries.with("credential").run(() -> select());
 * metrics.scrape(Negotiation.of(accept, acceptEncoding), response);
 * }</pre>
 */
public final class MetricRegistry {
    /** The default limit of series per metric. */
    public static final int SERIES_LIMIT = 2_000;

    private static final int GZIP_BUFFER = 16 * 1024;
    private static final int LARGEST_KEPT = 16 * 1024 * 1024;

    private final Settings settings;
    private final ReentrantLock registering = new ReentrantLock();
    private final Map<String, Family> owners = new HashMap<>();
    private volatile Metric<?>[] metrics = new Metric<?>[0];
    /** The writers of two concurrent scrapes, kept for the next ones. A third creates its own; a large one is not kept. */
    private final AtomicReferenceArray<@Nullable TextWriter> writers = new AtomicReferenceArray<>(2);

    private final LongAdder scrapes = new LongAdder();
    private final LongAdder scrapeNanos = new LongAdder();

    /** What a registry passes to each of its metrics. */
    record Settings(
            int seriesLimit,
            Consumer<SeriesOverflow> onOverflow,
            Consumer<MetricMisuse> onMisuse,
            Exemplars exemplars) {}

    /** A registry with the default limit of series, no listener and no exemplars. */
    public MetricRegistry() {
        this(SERIES_LIMIT, overflow -> {}, misuse -> {}, Exemplars.NO_TRACES);
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
        if (seriesLimit < 1) {
            throw new IllegalArgumentException("a series limit of " + seriesLimit + " leaves no series");
        }
        settings = new Settings(seriesLimit, onOverflow, onMisuse, new Exemplars(currentSpan));
    }

    /** Describes a counter. In OpenMetrics its samples end in {@code _total}, which is added to a name without it. */
    public MetricBuilder.OfValues<Counter> counter(String name) {
        return new MetricBuilder.OfValues<>(this, MetricType.COUNTER, name, Counter::new);
    }

    public MetricBuilder.OfValues<Gauge> gauge(String name) {
        return new MetricBuilder.OfValues<>(this, MetricType.GAUGE, name, Gauge::new);
    }

    public MetricBuilder.OfBuckets<Histogram> histogram(String name) {
        return new MetricBuilder.OfBuckets<>(this, name, Histogram::new);
    }

    public MetricBuilder.OfBuckets<Timer> timer(String name) {
        return new MetricBuilder.OfBuckets<>(this, name, Timer::new);
    }

    public MetricBuilder.OfTotals summary(String name) {
        return new MetricBuilder.OfTotals(this, name);
    }

    /** The values of all metrics, ordered by name. */
    public List<MetricSnapshot> snapshot() {
        return Stream.of(metrics).map(Metric::snapshot).toList();
    }

    /** The values of the metric registered under {@code name}. */
    public Optional<MetricSnapshot> snapshot(String name) {
        return Stream.of(metrics)
                .filter(metric -> metric.family.name.equals(name))
                .findFirst()
                .map(Metric::snapshot);
    }

    /** Writes the metrics in the negotiated format, gzipped if so agreed. Leaves {@code out} open. */
    public void scrape(Negotiation negotiation, OutputStream out) throws IOException {
        if (!negotiation.gzip()) {
            scrape(negotiation.format(), out);
            return;
        }
        FastGzip gzip = new FastGzip(out);
        try {
            scrape(negotiation.format(), gzip);
            gzip.finish();
        } finally {
            gzip.free();
        }
    }

    /** Writes the metrics, each value as it is at this moment, in one piece. Leaves {@code out} open. */
    public void scrape(Format format, OutputStream out) throws IOException {
        TextWriter writer = writers.getAndSet(0, null);
        if (writer == null) {
            writer = writers.getAndSet(1, null);
        }
        if (writer == null) {
            writer = new TextWriter();
        }
        try {
            long start = System.nanoTime();
            writer.write(metrics, format);
            if (format == Format.OPENMETRICS) {
                settings.exemplars().shown();
            }
            scrapes.increment();
            scrapeNanos.add(System.nanoTime() - start);
            writer.writeTo(out);
        } finally {
            if (writer.capacity() <= LARGEST_KEPT && !writers.compareAndSet(0, null, writer)) {
                writers.compareAndSet(1, null, writer);
            }
        }
    }

    /** The number of scrapes. */
    public long scrapes() {
        return scrapes.sum();
    }

    /** The total time of all scrapes, without the time to send them. */
    public long scrapeNanos() {
        return scrapeNanos.sum();
    }

    Metric<?>[] metrics() {
        return metrics;
    }

    Family family(
            MetricType type, String name, @Nullable String help, List<String> labels, double @Nullable [] bounds) {
        return new Family(type, name, help, labels, bounds, settings);
    }

    <M extends Metric<?>> M register(M metric) {
        registering.lock();
        try {
            claim(metric.family);
            Metric<?>[] more = Arrays.copyOf(metrics, metrics.length + 1);
            more[metrics.length] = metric;
            Arrays.sort(more, Comparator.comparing(one -> one.family.name));
            metrics = more;
            return metric;
        } finally {
            registering.unlock();
        }
    }

    /** Refuses a name that would be in the exposition twice, even as a suffixed sample of another metric. */
    private void claim(Family family) {
        List<String> names = family.reservedNames();
        for (String name : names) {
            Family owner = owners.get(name);
            if (owner != null) {
                throw new IllegalArgumentException(
                        owner.openMetricsName().equals(family.openMetricsName())
                                ? "metric " + owner.name + " is already registered"
                                : "metric " + family.name + " clashes with " + owner.name + ": both would use the name "
                                        + name);
            }
        }
        names.forEach(name -> owners.put(name, family));
    }

    /** Gzip at its fastest level, which is enough for expositions. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, GZIP_BUFFER);
            def.setLevel(Deflater.BEST_SPEED);
        }

        /** Releases native memory; closing would close the stream below. */
        void free() {
            def.end();
        }
    }
}
