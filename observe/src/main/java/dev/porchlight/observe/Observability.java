// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.log.LogConfig;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.AutomaticMetrics;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.profile.RouteProfiler;
import dev.porchlight.observe.trace.Propagation;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.Tracer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The five signals of a service, made from the environment and tied together.
 *
 * <pre>{@code
 * try (Observability observe = Observability.open("checkout", System.getenv())) {
 *     observe.health().register("database", () -> pool.isAlive() ? CheckResult.up() : CheckResult.down("gone"));
 *     observe.logger().info("started");
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads.
 */
public final class Observability implements AutoCloseable {
    private final String service;
    private final LogWriter writer;
    private final Logger logger;
    private final Tracer tracer;
    private final Propagation propagation;
    private final MetricRegistry metrics;
    private final AutomaticMetrics automatic;
    private final HealthRegistry health;
    private final RouteProfiler profiler = new RouteProfiler();
    private final AtomicBoolean closed = new AtomicBoolean();

    private Observability(String name, Map<String, String> environment, LogWriter writer, boolean terminal) {
        this.service = ServiceName.of(name, environment);
        this.writer = writer;
        logger = LogConfig.fromEnvironment(environment, terminal)
                .withService(name)
                .open(writer);
        tracer = Tracer.open(ServiceName.named(service, environment), event -> Events.log(logger, event));
        propagation = Propagation.from(environment);
        metrics = new MetricRegistry(
                MetricRegistry.SERIES_LIMIT,
                overflow -> Events.log(logger, overflow),
                misuse -> Events.log(logger, misuse),
                Observability::ownSpan);
        automatic = new AutomaticMetrics(metrics);
        SelfMetrics.register(metrics, tracer.stats(), writer.stats());
        health = health(environment, logger);
        health.listen(new HealthTelemetry(logger, metrics));
    }

    /**
     * Opens the signals of a service, with log lines to standard output.
     *
     * @param name the service's name in log lines, and in traces where the environment gives none
     */
    public static Observability open(String name, Map<String, String> environment) {
        return open(name, environment, LogWriter.standardOutput(), false);
    }

    /**
     * Opens the signals of a service.
     *
     * @param name the service's name in log lines, and in traces where the environment gives none
     * @param writer where log lines go; closed with this
     * @param terminal whether a person reads the lines as they come
     */
    public static Observability open(String name, Map<String, String> environment, LogWriter writer, boolean terminal) {
        return new Observability(name, environment, writer, terminal);
    }

    /** The service's name in traces, which the environment may give; log lines have the one given to {@link #open}. */
    public String service() {
        return service;
    }

    public Logger logger() {
        return logger;
    }

    public MetricRegistry metrics() {
        return metrics;
    }

    /** The metrics every service has: where HTTP requests are recorded and a database pool is attached. */
    public AutomaticMetrics automatic() {
        return automatic;
    }

    public Tracer tracer() {
        return tracer;
    }

    /** How a caller's trace is read from headers in this environment. */
    public Propagation propagation() {
        return propagation;
    }

    public HealthRegistry health() {
        return health;
    }

    public RouteProfiler profiler() {
        return profiler;
    }

    /** Sends and writes what is left, waiting at most {@link Tracer#CLOSE_LIMIT} for the collector. */
    @Override
    public void close() {
        close(Tracer.CLOSE_LIMIT);
    }

    /** Sends and writes what is left, waiting at most so long for the collector. Only the first call does anything. */
    public void close(Duration limit) {
        if (closed.compareAndSet(false, true)) {
            tracer.close(limit);
            health.close();
            automatic.close();
            writer.close();
        }
    }

    /** The calling thread's span, unless it is only the caller's, handed on: exemplars point at what we record. */
    private static SpanContext ownSpan() {
        SpanContext context = Span.current().context();
        return context.remote() ? SpanContext.NONE : context;
    }

    private static HealthRegistry health(Map<String, String> environment, Logger logger) {
        try {
            return HealthRegistry.fromEnvironment(environment);
        } catch (IllegalArgumentException e) {
            logger.warn(e.getMessage() + "; there is no start-up delay");
            return new HealthRegistry();
        }
    }
}
