// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.trace.AnchoredClock.Anchor;
import dev.porchlight.observe.wire.StackText;
import org.jspecify.annotations.Nullable;

/**
 * One timed operation of a trace, from {@link Tracer#start} to one of the {@code end} methods. Thread-safe.
 *
 * <p>Only the first end counts; later calls have no effect. No method blocks or throws: a null name becomes {@code
 * unnamed}, any other null is ignored. A span that is not recorded (not sampled, or tracing is off) ignores all calls.
 */
public final class Span extends SpanAttributes implements AutoCloseable {
    /** The name of a span or event whose given name is null. */
    static final String UNNAMED = "unnamed";

    /** The usual number of attributes, for which there is room from the start. */
    private static final int ATTRIBUTES = 6;

    private static final int SERVER_ATTRIBUTES = 12;

    private static final Anchor NO_TIME = new Anchor(0, 0);
    private static final Span NONE = new Span(SpanContext.NONE);

    private final Tracer tracer;
    private final SpanContext context;
    private final @Nullable SpanContext parent;
    private final SpanKind kind;
    private final Anchor anchor;
    private final long startNano;
    private long endNano;
    private String name;
    private @Nullable SpanDetails details;

    Span(
            Tracer tracer,
            SpanContext context,
            @Nullable SpanContext parent,
            SpanKind kind,
            String name,
            Anchor anchor,
            long startNano) {
        super(tracer.limits, kind == SpanKind.SERVER ? SERVER_ATTRIBUTES : ATTRIBUTES);
        this.tracer = tracer;
        this.context = context;
        this.parent = parent;
        this.kind = kind == null ? SpanKind.INTERNAL : kind;
        this.name = name == null ? UNNAMED : name;
        this.anchor = anchor;
        this.startNano = startNano;
    }

    /** Creates a span that records nothing and only carries its context. */
    Span(SpanContext context) {
        this.tracer = Tracer.off();
        this.context = context;
        this.parent = null;
        this.kind = SpanKind.INTERNAL;
        this.name = "";
        this.anchor = NO_TIME;
        this.startNano = 0;
    }

    /** Returns the span of the calling thread's innermost open {@link Scope}, or {@link #none()}. */
    public static Span current() {
        return Scope.currentSpan();
    }

    /** Returns the absent span, which records nothing and has the context {@link SpanContext#NONE}. */
    public static Span none() {
        return NONE;
    }

    /** Makes this the calling thread's current span until the scope is closed. */
    public Scope makeCurrent() {
        return Scope.open(this, Scope.correlationId());
    }

    /** Makes this the calling thread's current span, in a request with this correlation id, which log lines then carry. */
    public Scope makeCurrent(String correlationId) {
        return Scope.open(this, correlationId);
    }

    public SpanContext context() {
        return context;
    }

    /** Renames the span, for example when the route of a request becomes known. */
    public Span rename(String newName) {
        if (newName != null && take()) {
            name = newName;
            release();
        }
        return this;
    }

    public Span set(String key, @Nullable String value) {
        put(key, value);
        return this;
    }

    public Span set(String key, long value) {
        if (recording()) {
            put(key, value);
        }
        return this;
    }

    public Span set(String key, double value) {
        if (recording()) {
            put(key, value);
        }
        return this;
    }

    public Span set(String key, boolean value) {
        put(key, value);
        return this;
    }

    /** Sets a value of any type that {@link Attributes} accepts. */
    public Span set(String key, @Nullable Object value) {
        if (recording()) {
            put(key, AttributeValues.of(value));
        }
        return this;
    }

    public Span set(Attributes values) {
        if (values != null && values.size() > 0) {
            putAll(values);
        }
        return this;
    }

    public Span event(String eventName) {
        return event(eventName, Attributes.none());
    }

    public Span event(String eventName, Attributes values) {
        if (take()) {
            try {
                details().event(eventName, now(), values);
            } finally {
                release();
            }
        }
        return this;
    }

    /** Records an exception as an event, without ending the span or setting its status. */
    public Span exception(Throwable error) {
        return error != null && recording() ? event("exception", exceptionAttributes(StackText.of(error))) : this;
    }

    public Span link(SpanContext linked) {
        return link(linked, Attributes.none());
    }

    /** Links to a related span. An invalid context is ignored. */
    public Span link(SpanContext linked, Attributes values) {
        if (linked != null && linked.valid() && take()) {
            try {
                details().link(linked, values);
            } finally {
                release();
            }
        }
        return this;
    }

    public Span status(SpanStatus status) {
        return status(status, null);
    }

    /** Sets the status. A description is kept only with {@link SpanStatus#ERROR}, and OK is final. */
    public Span status(SpanStatus status, @Nullable String description) {
        if (status != null && take()) {
            try {
                details().status(status, description);
            } finally {
                release();
            }
        }
        return this;
    }

    public void end() {
        end(Attributes.none(), null);
    }

    /** Ends the span, like {@link #end()}. */
    @Override
    public void close() {
        end();
    }

    public void end(Attributes values) {
        end(values, null);
    }

    /** Ends the span as failed: status ERROR, and the exception as an event. */
    public void end(Throwable error) {
        end(Attributes.none(), error);
    }

    private void end(Attributes values, @Nullable Throwable error) {
        if (!recording()) {
            return;
        }
        long now = tracer.nanoTime();
        StackText stack =
                error == null ? null : StackText.of(error); // may call foreign code, so not while the span is taken
        if (!take()) {
            return;
        }
        try {
            putLast(values);
            if (stack != null) {
                details().event("exception", anchor.epochNanos(now), exceptionAttributes(stack));
                details().status(SpanStatus.ERROR, stack.message());
            }
        } finally {
            endNano = Math.max(startNano, now);
            seal();
            tracer.export(this);
        }
    }

    private static Attributes exceptionAttributes(StackText stack) {
        return Attributes.of(
                "exception.type",
                stack.type(),
                "exception.message",
                stack.message() == null ? "" : stack.message(),
                "exception.stacktrace",
                stack.text());
    }

    private SpanDetails details() {
        SpanDetails present = details;
        if (present == null) {
            present = new SpanDetails(tracer.limits);
            details = present;
        }
        return present;
    }

    private long now() {
        return anchor.epochNanos(tracer.nanoTime());
    }

    // For the exporter, after the span has ended.

    @Nullable
    SpanContext parent() {
        return parent;
    }

    SpanKind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    long startEpochNanos() {
        return anchor.epochNanos(startNano);
    }

    long endEpochNanos() {
        return anchor.epochNanos(endNano);
    }

    @Nullable
    SpanDetails endDetails() {
        return details;
    }
}
