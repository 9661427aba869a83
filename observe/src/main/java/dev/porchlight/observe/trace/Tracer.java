// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.trace.ExportWorker.StopSignal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts spans and exports them to the collector. Thread-safe; an application has one.
 *
 * <pre>{@code
 * tracer.run("pay", () -> pay(order));                       // ends the span, as failed if pay throws
 * Receipt receipt = tracer.call("pay", Attributes.of("order", 4711), () -> pay(order));
 * try (Span span = tracer.start("pay")) {                    // without making it the thread's current span
 *     span.set("order", 4711);
 * }
 * }</pre>
 *
 * <p>A tracer without an exporter is off: it has no thread, propagates the caller's context and records nothing.
 */
public final class Tracer implements AutoCloseable {
    /** The time that {@link #close()} waits for the last spans to be sent. */
    public static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private static final Tracer OFF = new Tracer(
            Sampler.ALWAYS_OFF,
            TraceSettings.Limits.DEFAULT,
            new AnchoredClock(TraceTime.SYSTEM),
            new TraceStats(null),
            null);

    private final Ids ids = new Ids();
    private final Sampler sampler;
    final TraceSettings.Limits limits;
    private final AnchoredClock clock;
    private final TraceStats stats;
    private final @Nullable ExportWorker worker;

    Tracer(
            Sampler sampler,
            TraceSettings.Limits limits,
            AnchoredClock clock,
            TraceStats stats,
            @Nullable ExportWorker worker) {
        this.sampler = sampler;
        this.limits = limits;
        this.clock = clock;
        this.stats = stats;
        this.worker = worker;
    }

    /**
     * Opens a tracer. It is off if the settings have no exporter.
     *
     * @param listener notified of lost spans and of collector failures, by the export thread or the closing thread;
     *     exceptions it throws are ignored
     */
    public static Tracer open(TraceSettings settings, Consumer<TraceEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        TraceTime time = TraceTime.SYSTEM;
        Sender sender = sender(settings, time);
        return sender == null ? OFF : open(settings, sender, listener, time);
    }

    static Tracer open(TraceSettings settings, Sender sender, Consumer<TraceEvent> listener, TraceTime time) {
        SpanQueue queue = new SpanQueue(settings.batching.queueSize());
        TraceStats stats = new TraceStats(queue);
        ExportReporter reporter = new ExportReporter(stats, listener, time);
        StopSignal stop = new StopSignal();
        Backoff backoff = new Backoff(() -> ThreadLocalRandom.current().nextDouble());
        Delivery delivery = new Delivery(sender, backoff, time, reporter, stop, settings.requestLimitNanos());
        ExportWorker worker = new ExportWorker(queue, delivery, reporter, stats, time, stop, settings.batching).start();
        return new Tracer(settings.sampler, settings.limits, new AnchoredClock(time), stats, worker);
    }

    private static @Nullable Sender sender(TraceSettings settings, TraceTime time) {
        TraceSettings.Otlp otlp = settings.otlp;
        if (otlp != null) {
            SpanEncoder encoder = otlp.json() ? new OtlpJson(settings.resource) : new OtlpProtobuf(settings.resource);
            return new OtlpSender(otlp, encoder, time, OtlpSender.MAX_REQUEST);
        }
        return settings.exporter == TraceSettings.Exporter.CONSOLE
                ? new ConsoleSender(System.out, new OtlpJson(settings.resource))
                : null;
    }

    /** Returns a tracer that is off. */
    public static Tracer off() {
        return OFF;
    }

    public Span start(String name) {
        return start(name, Attributes.none());
    }

    /** Starts a child of the thread's current span, or a new trace if there is no current span. */
    public Span start(String name, Attributes attributes) {
        return start(name, attributes, Span.current().context(), SpanKind.INTERNAL);
    }

    public Span start(String name, Attributes attributes, SpanKind kind) {
        return start(name, attributes, Span.current().context(), kind);
    }

    public Span start(String name, Attributes attributes, SpanContext parent) {
        return start(name, attributes, parent, SpanKind.INTERNAL);
    }

    /** Starts a child of {@code parent}, or a new trace if it is {@link SpanContext#NONE}. */
    public Span start(String name, Attributes attributes, SpanContext parent, SpanKind kind) {
        return start(name, attributes, parent, kind, 0);
    }

    /** Records an operation that has just ended and took {@code nanos}, as a child of the thread's current span. */
    public void record(String name, Attributes attributes, long nanos) {
        start(name, attributes, Span.current().context(), SpanKind.INTERNAL, nanos)
                .end();
    }

    /** Runs {@code task} in a new span, which is current during the call and ends as failed if the task throws. */
    public void run(String name, Runnable task) {
        run(name, Attributes.none(), task);
    }

    /** Runs {@code task} in a new span, which is current during the call and ends as failed if the task throws. */
    public void run(String name, Attributes attributes, Runnable task) {
        within(start(name, attributes), () -> {
            task.run();
            return "";
        });
    }

    /** Calls {@code task} in a new span, which is current during the call and ends as failed if the task throws. */
    public <T> T call(String name, Callable<T> task) throws Exception {
        return call(name, Attributes.none(), task);
    }

    /** Calls {@code task} in a new span, which is current during the call and ends as failed if the task throws. */
    public <T> T call(String name, Attributes attributes, Callable<T> task) throws Exception {
        return within(start(name, attributes), task::call);
    }

    @FunctionalInterface
    private interface Task<T, E extends Exception> {
        T run() throws E;
    }

    private static <T, E extends Exception> T within(Span span, Task<T, E> task) throws E {
        Scope scope = span.makeCurrent();
        try {
            return task.run();
        } catch (Exception | Error e) {
            span.end(e);
            throw e;
        } finally {
            scope.close();
            span.end(); // has no effect if the span has ended as failed
        }
    }

    private Span start(String name, Attributes attributes, SpanContext parent, SpanKind kind, long nanosAgo) {
        SpanContext known = parent != null && parent.valid() ? parent : null;
        if (worker == null) {
            return known == null ? Span.none() : new Span(known);
        }
        SpanContext context = known == null ? ids.trace(sampler) : child(known);
        if (!context.sampled()) {
            return new Span(context);
        }
        stats.countStarted();
        long now = clock.nanoTime();
        return new Span(this, context, known, kind, name, clock.anchor(now), now - nanosAgo).set(attributes);
    }

    /** Returns live counts of spans. */
    public TraceStats stats() {
        return stats;
    }

    /** Sends all spans that have ended. Returns false if that takes longer than {@code limit}. */
    public boolean flush(Duration limit) {
        return worker == null || worker.flush(limit);
    }

    /** Closes with the {@linkplain #CLOSE_LIMIT default limit}. */
    @Override
    public void close() {
        close(CLOSE_LIMIT);
    }

    /**
     * Stops accepting spans, sends those that have ended, and gives up after {@code limit}. A second call waits for the
     * first.
     *
     * @return the number of lost spans
     */
    public long close(Duration limit) {
        return worker == null ? 0 : worker.close(limit);
    }

    private SpanContext child(SpanContext parent) {
        boolean sampled = sampler.sample(parent, parent.traceIdLow());
        int flags = parent.flags() & SpanContext.RANDOM | (sampled ? SpanContext.SAMPLED : 0);
        return new SpanContext(
                parent.traceIdHigh(), parent.traceIdLow(), ids.next(), flags, parent.traceState(), false);
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    void export(Span span) {
        if (worker != null) {
            worker.add(span);
        }
    }
}
