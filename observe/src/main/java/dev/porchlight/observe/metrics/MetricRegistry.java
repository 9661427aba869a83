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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * The metrics of one service. Registers metrics, takes snapshots, and writes them for a scraper. Thread-safe.
 *
 * <p>There is no global registry: create one and pass it on. Registering a name twice is refused, because two owners of
 * one metric would corrupt each other's values.
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
    /** Cached writers for two concurrent scrapes. A third scrape creates its own; a writer that has grown large is not kept. */
    private final AtomicReferenceArray<@Nullable TextWriter> writers = new AtomicReferenceArray<>(2);

    private final LongAdder scrapes = new LongAdder();
    private final LongAdder scrapeNanos = new LongAdder();

    record Settings(
            int seriesLimit,
            Consumer<SeriesOverflow> onOverflow,
            Consumer<MetricMisuse> onMisuse,
            Exemplars exemplars,
            AtomicBoolean exponential) {}

    /** Creates a registry with the default series limit, no listener and no exemplars. */
    public MetricRegistry() {
        this(SERIES_LIMIT, overflow -> {}, misuse -> {}, Exemplars.NO_TRACES);
    }

    /**
     * @param seriesLimit the maximum number of series per metric; further label sets share the overflow series
     * @param onOverflow notified once per metric, in the recording thread, when the limit is exceeded
     * @param onMisuse notified once per metric, in the recording thread, when a recording is refused
     * @param currentSpan returns the recording thread's span, for exemplars
     */
    public MetricRegistry(
            int seriesLimit,
            Consumer<SeriesOverflow> onOverflow,
            Consumer<MetricMisuse> onMisuse,
            Supplier<SpanContext> currentSpan) {
        this(seriesLimit, onOverflow, onMisuse, currentSpan, ExemplarFilter.TRACE_BASED);
    }

    /** Creates a registry with these exemplars; other parameters as above. */
    public MetricRegistry(
            int seriesLimit,
            Consumer<SeriesOverflow> onOverflow,
            Consumer<MetricMisuse> onMisuse,
            Supplier<SpanContext> currentSpan,
            ExemplarFilter exemplars) {
        if (seriesLimit < 1) {
            throw new IllegalArgumentException("a series limit of " + seriesLimit + " leaves no series");
        }
        settings = new Settings(
                seriesLimit,
                Objects.requireNonNull(onOverflow, "onOverflow"),
                Objects.requireNonNull(onMisuse, "onMisuse"),
                new Exemplars(
                        Objects.requireNonNull(currentSpan, "currentSpan"),
                        Objects.requireNonNull(exemplars, "exemplars")),
                new AtomicBoolean());
    }

    /** Describes a counter. In OpenMetrics, the suffix {@code _total} is added if the name lacks it. */
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

    /** Returns the values of all metrics, ordered by name. */
    public List<MetricSnapshot> snapshot() {
        return Stream.of(metrics).map(Metric::snapshot).toList();
    }

    /** Returns the values of the metric registered as {@code name}. */
    public Optional<MetricSnapshot> snapshot(String name) {
        return Stream.of(metrics)
                .filter(metric -> metric.family.name.equals(name))
                .findFirst()
                .map(Metric::snapshot);
    }

    /** Writes the metrics in the negotiated format, gzipped if negotiated. Leaves {@code out} open. */
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

    /** Writes the current values of all metrics in one call. Leaves {@code out} open. */
    public void scrape(Format format, OutputStream out) throws IOException {
        if (format == Format.PROTOBUF) {
            scrapeProtobuf(out);
            return;
        }
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
                exemplarsShown();
            }
            scraped(start);
            writer.writeTo(out);
        } finally {
            if (writer.capacity() <= LARGEST_KEPT && !writers.compareAndSet(0, null, writer)) {
                writers.compareAndSet(1, null, writer);
            }
        }
    }

    private void scrapeProtobuf(OutputStream out) throws IOException {
        recordExponential();
        long start = System.nanoTime();
        ProtobufWriter writer = new ProtobufWriter();
        writer.write(metrics);
        exemplarsShown();
        scraped(start);
        writer.writeTo(out);
    }

    private void scraped(long start) {
        scrapes.increment();
        scrapeNanos.add(System.nanoTime() - start);
    }

    /** Lets histograms record exponential buckets from now on. */
    void recordExponential() {
        if (settings.exponential().compareAndSet(false, true)) {
            Stream.of(metrics).flatMap(metric -> metric.table.sorted().stream()).forEach(series -> {
                if (series instanceof HistogramSeries histogram) {
                    histogram.activate();
                }
            });
        }
    }

    /** Returns the number of the round that later exemplars belong to. */
    int exemplarsShown() {
        return settings.exemplars().shown();
    }

    /** Returns the number of scrapes. */
    public long scrapes() {
        return scrapes.sum();
    }

    /** Returns the total duration of all scrapes, without sending them. */
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

    /** Refuses a name that would appear twice in the exposition, including as a suffixed sample of another metric. */
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

        /** Releases native memory. Closing would close the underlying stream. */
        void free() {
            def.end();
        }
    }
}
