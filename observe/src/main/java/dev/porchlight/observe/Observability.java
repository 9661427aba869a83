// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportStats;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.http.HttpTelemetry;
import dev.porchlight.observe.http.TelemetryEndpoints;
import dev.porchlight.observe.http.TelemetryPage;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.LogExport;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.AutomaticMetrics;
import dev.porchlight.observe.metrics.MetricExport;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.page.StateSampler;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.Tracer;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The five signals of a service, tied together: log lines and exemplars carry the trace, and each signal's own problems
 * become metrics and log lines.
 *
 * <pre>{@code
 * try (Observability observe = Observability.open(ObservabilitySettings.fromEnvironment("checkout", System.getenv()))) {
 *     observe.health().register("database", () -> pool.isAlive() ? CheckResult.up() : CheckResult.down("gone"));
 *     observe.logger().info("started");
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Observability implements AutoCloseable {
    private static final long LEAST_NANOS = Duration.ofMillis(250).toNanos();

    private final ObservabilitySettings settings;
    private final LogWriter writer;
    private final Logger logger;
    private final LogExport logExport;
    private final Tracer tracer;
    private final MetricExport metricExport;
    private final MetricRegistry metrics;
    private final AutomaticMetrics automatic;
    private final HealthRegistry health;
    private final RouteProfiler profiler = new RouteProfiler();
    private final HttpTelemetry http;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable TelemetryPage page;

    private Observability(ObservabilitySettings settings, LogWriter writer) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.writer = Objects.requireNonNull(writer, "writer");
        logExport = LogExport.open(settings.logExport(), this::log);
        logger = new Logger(settings.service(), settings.logLevels(), settings.logFormat(), writer)
                .exportingTo(logExport);
        settings.warnings().forEach(warning -> Events.log(logger, warning));
        tracer = Tracer.open(settings.tracing(), this::log);
        metrics = new MetricRegistry(
                MetricRegistry.SERIES_LIMIT,
                overflow -> Events.log(logger, overflow),
                misuse -> Events.log(logger, misuse),
                Observability::ownSpan,
                settings.metricExport().exemplars());
        automatic = new AutomaticMetrics(metrics);
        metricExport = MetricExport.open(settings.metricExport(), metrics, this::log);
        Map<Signal, ExportStats> exports = new EnumMap<>(Signal.class);
        exports.put(Signal.TRACES, tracer.stats());
        exports.put(Signal.METRICS, metricExport.stats());
        exports.put(Signal.LOGS, logExport.stats());
        SelfMetrics.registerTraces(metrics, tracer);
        SelfMetrics.registerExports(metrics, exports);
        SelfMetrics.registerLogs(metrics, writer.stats());
        health = new HealthRegistry(settings.readinessDelay().toMillis());
        health.listen(new HealthTelemetry(logger, metrics));
        boolean cloud = settings.logFormat() instanceof LogFormat.Cloud;
        http = new HttpTelemetry(logger, tracer, settings.tracing().propagation(), automatic.http(), profiler, cloud);
    }

    /** Opens the signals of a service, with log lines to standard output. */
    public static Observability open(ObservabilitySettings settings) {
        return open(settings, LogWriter.standardOutput());
    }

    /** Opens the signals of a service, with log lines to {@code writer}, which is closed with this. */
    public static Observability open(ObservabilitySettings settings, LogWriter writer) {
        return new Observability(settings, writer);
    }

    public ObservabilitySettings settings() {
        return settings;
    }

    public Logger logger() {
        return logger;
    }

    public MetricRegistry metrics() {
        return metrics;
    }

    /** Returns the built-in metrics, which record HTTP requests and show a database pool. */
    public AutomaticMetrics automatic() {
        return automatic;
    }

    public Tracer tracer() {
        return tracer;
    }

    public HealthRegistry health() {
        return health;
    }

    public RouteProfiler profiler() {
        return profiler;
    }

    /** Returns the telemetry of HTTP requests, for the adapter of a server. */
    public HttpTelemetry http() {
        return http;
    }

    /** Creates the endpoints for scrapers and probes, with the details of health checks. */
    public TelemetryEndpoints endpoints() {
        return new TelemetryEndpoints(metrics, health, profiler, true, Duration.ZERO);
    }

    /**
     * Returns the page for {@link TelemetryEndpoints#with}, which plots the last hour in a browser. The first call creates it; from
     * then on samples are taken.
     */
    public synchronized TelemetryPage page() {
        if (page == null) {
            page = new TelemetryPage(sampler(Clock.systemUTC(), StateSampler.INTERVAL, () -> "", sample -> {}));
        }
        return page;
    }

    /**
     * Creates a sampler for plots.
     *
     * @see StateSampler#StateSampler
     */
    public StateSampler sampler(
            InstantSource clock, Duration interval, Supplier<String> members, Consumer<String> listener) {
        return new StateSampler(
                new StateSampler.Sources(metrics, automatic, health, profiler, logger),
                clock,
                interval,
                members,
                listener);
    }

    private synchronized void closePage() {
        if (page != null) {
            page.close();
        }
    }

    /** Sends all spans, metrics and lines to the collector. Returns false if that takes longer than {@code limit}. */
    public boolean flush(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean spans = tracer.flush(limit);
        boolean points = metricExport.flush(left(deadline));
        boolean lines = logExport.flush(left(deadline));
        return spans && points && lines;
    }

    /** Sends and writes everything that remains, waiting at most {@link Tracer#CLOSE_LIMIT} for the collector. */
    @Override
    public void close() {
        close(Tracer.CLOSE_LIMIT);
    }

    /** Sends and writes everything that remains, waiting about this long for the collector. Idempotent. */
    public void close(Duration limit) {
        if (closed.compareAndSet(false, true)) {
            closePage();
            long deadline = System.nanoTime() + limit.toNanos();
            tracer.close(limit);
            metricExport.close(left(deadline));
            logExport.close(left(deadline));
            health.close();
            automatic.close();
            JdkLoggerFinder.uninstall(logger);
            writer.close();
        }
    }

    /** Returns the time until a deadline, but at least enough to try each signal once. */
    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(LEAST_NANOS, deadline - System.nanoTime()));
    }

    private void log(ExportEvent event) {
        // A line about each export of lines must not cause the next export.
        Events.log(
                event.kind().debug() && event.signal() == Signal.LOGS ? logger.exportingTo(LogExport.off()) : logger,
                event);
    }

    /** Returns the calling thread's span, or none if it is the span of a remote caller: exemplars point to our own spans. */
    private static SpanContext ownSpan() {
        SpanContext context = Span.current().context();
        return context.remote() ? SpanContext.NONE : context;
    }
}
