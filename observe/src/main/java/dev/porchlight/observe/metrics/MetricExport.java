// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportStats;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.Environment;
import dev.porchlight.observe.otlp.ExportCounts;
import dev.porchlight.observe.otlp.ExportTime;
import dev.porchlight.observe.otlp.ExportWorker;
import dev.porchlight.observe.otlp.OtlpSettings;
import dev.porchlight.observe.otlp.Sender;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the metrics of a registry to an OTLP collector at an interval, beside any scrapes. Thread-safe. */
public final class MetricExport implements AutoCloseable {
    private final @Nullable ExportWorker<Point> worker;
    private final ExportStats stats;

    private MetricExport(@Nullable ExportWorker<Point> worker) {
        this.worker = worker;
        this.stats = worker == null ? new ExportCounts(null) : worker.stats();
    }

    /** What the values of counters and histograms count: everything, or what was not yet sent. */
    enum Temporality {
        CUMULATIVE,
        DELTA,
        /** Delta, except for counters that are read from callbacks. */
        LOWMEMORY
    }

    /** The settings of the export, from OpenTelemetry's {@code OTEL_*} variables. Immutable. */
    public static final class Settings {
        private static final String METRICS = "OTEL_EXPORTER_OTLP_METRICS_";
        final OtlpSettings otlp;
        final Temporality temporality;
        final boolean exponential;
        private final ExemplarFilter exemplars;

        private Settings(String service, Environment environment) {
            otlp = OtlpSettings.read(Signal.METRICS, service, environment);
            temporality = environment.choice(
                    Temporality.CUMULATIVE,
                    Map.of(
                            "cumulative", Temporality.CUMULATIVE,
                            "delta", Temporality.DELTA,
                            "lowmemory", Temporality.LOWMEMORY),
                    METRICS + "TEMPORALITY_PREFERENCE");
            exponential = environment.choice(
                    false,
                    Map.of("explicit_bucket_histogram", false, "base2_exponential_bucket_histogram", true),
                    METRICS + "DEFAULT_HISTOGRAM_AGGREGATION");
            exemplars = environment.choice(
                    ExemplarFilter.TRACE_BASED,
                    Map.of(
                            "trace_based", ExemplarFilter.TRACE_BASED,
                            "always_on", ExemplarFilter.ALWAYS_ON,
                            "always_off", ExemplarFilter.ALWAYS_OFF),
                    "OTEL_METRICS_EXEMPLAR_FILTER");
        }

        /** The exemplars of the registry, which its scrapes show too. */
        public ExemplarFilter exemplars() {
            return exemplars;
        }

        /**
         * Reads the settings. Metrics are not exported unless {@code OTEL_METRICS_EXPORTER} is {@code otlp}, or {@code
         * OTEL_EXPORTER_OTLP_METRICS_ENDPOINT} is set.
         *
         * @param service the service's name, unless the environment has one
         * @param warnings receives the name of each invalid variable, and a sentence about it; its default is used
         */
        public static Settings fromEnvironment(
                String service, Map<String, String> environment, BiConsumer<String, String> warnings) {
            return new Settings(service, new Environment(environment, warnings));
        }
    }

    /** Opens an export. It is off if the settings have no exporter. The listener is notified of lost points and failures. */
    public static MetricExport open(Settings settings, MetricRegistry registry, Consumer<ExportEvent> listener) {
        Objects.requireNonNull(registry, "registry");
        Objects.requireNonNull(listener, "listener");
        Sender<Point> sender = settings.otlp.sender(new PointWriter()::write, ExportTime.SYSTEM);
        return sender == null ? new MetricExport(null) : open(settings, registry, sender, listener, ExportTime.SYSTEM);
    }

    static MetricExport open(
            Settings settings,
            MetricRegistry registry,
            Sender<Point> sender,
            Consumer<ExportEvent> listener,
            ExportTime time) {
        PointSource source = new PointSource(registry, settings.temporality, settings.exponential, time);
        return new MetricExport(ExportWorker.start(
                settings.otlp, sender, source, points -> points.forEach(Point::accepted), listener, time));
    }

    /** Returns live counts of points. */
    public ExportStats stats() {
        return stats;
    }

    /** Sends the current values. Returns false if that takes longer than {@code limit}. */
    public boolean flush(Duration limit) {
        return worker == null || worker.flush(limit);
    }

    @Override
    public void close() {
        close(ExportWorker.CLOSE_LIMIT);
    }

    /** Sends the last values, gives up after {@code limit}, and returns the number of lost points. */
    public long close(Duration limit) {
        return worker == null ? 0 : worker.close(limit);
    }
}
