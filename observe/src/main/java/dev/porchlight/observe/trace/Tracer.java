// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportStats;
import dev.porchlight.observe.otlp.ExportCounts;
import dev.porchlight.observe.otlp.ExportTime;
import dev.porchlight.observe.otlp.ExportWorker;
import dev.porchlight.observe.otlp.ItemQueue;
import dev.porchlight.observe.otlp.Sender;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
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
    public static final Duration CLOSE_LIMIT = ExportWorker.CLOSE_LIMIT;

    private static final Tracer OFF = new Tracer(
            Sampler.ALWAYS_OFF, TraceSettings.Limits.DEFAULT, new AnchoredClock(ExportTime.SYSTEM), null, null);

    private final Ids ids = new Ids();
    private final LongAdder started = new LongAdder();
    private final Sampler sampler;
    final TraceSettings.Limits limits;
    private final AnchoredClock clock;
    private final @Nullable ItemQueue<Span> queue;
    private final @Nullable ExportWorker<Span> worker;
    private final ExportStats stats;

    private Tracer(
            Sampler sampler,
            TraceSettings.Limits limits,
            AnchoredClock clock,
            @Nullable ItemQueue<Span> queue,
            @Nullable ExportWorker<Span> worker) {
        this.sampler = sampler;
        this.limits = limits;
        this.clock = clock;
        this.queue = queue;
        this.worker = worker;
        this.stats = worker == null ? new ExportCounts(null) : worker.stats();
    }

    /**
     * Opens a tracer. It is off if the settings have no exporter.
     *
     * @param listener notified of lost spans and of collector failures, by the export thread or the closing thread;
     *     exceptions it throws are ignored
     */
    public static Tracer open(TraceSettings settings, Consumer<ExportEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        Sender<Span> sender = settings.export.sender(SpanWriter::write, ExportTime.SYSTEM);
        return sender == null ? OFF : open(settings, sender, listener, ExportTime.SYSTEM);
    }

    static Tracer open(TraceSettings settings, Sender<Span> sender, Consumer<ExportEvent> listener, ExportTime time) {
        ItemQueue<Span> queue = new ItemQueue<>(settings.export.batching().queueSize());
        ExportWorker<Span> worker = ExportWorker.start(settings.export, sender, queue, accepted -> {}, listener, time);
        return new Tracer(settings.sampler, settings.limits, new AnchoredClock(time), queue, worker);
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
        started.increment();
        long now = clock.nanoTime();
        return new Span(this, context, known, kind, name, clock.anchor(now), now - nanosAgo).set(attributes);
    }

    /** Returns the number of recorded spans that were started. */
    public long started() {
        return started.sum();
    }

    /** Returns live counts of ended spans. */
    public ExportStats stats() {
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
        if (worker != null && queue != null) {
            worker.added(queue.offer(span));
        }
    }
}
