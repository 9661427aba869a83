// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.trace.AnchoredClock.Anchor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One timed operation of a trace, from {@link Tracer#start} to one of the {@code end} methods.
 *
 * <p>Safe for use by several threads. The first end counts and every later call changes nothing. None of the methods
 * throws or blocks. A span that is not recorded (not sampled, or tracing is off) takes the same calls and keeps nothing.
 */
public final class Span {
    // A span is changed by the one thread that moved it from OPEN to BUSY, for a few instructions; ENDED is final.
    private static final int OPEN = 0;
    private static final int BUSY = 1;
    private static final int ENDED = 2;
    private static final VarHandle STATE = stateHandle();
    private static final Anchor NO_TIME = new Anchor(0, 0);
    private static final Span NONE = new Span(SpanContext.NONE);

    private final SpanContext context;
    private final @Nullable SpanContext parent;
    private final Tracer tracer;
    private final SpanKind kind;
    private final Anchor anchor;
    private final long startNano;
    private long endNano;
    private String name;
    private @Nullable AttributeSet attributes;
    private @Nullable SpanDetails details;
    private volatile int state;

    /** A recording span. */
    Span(
            Tracer tracer,
            SpanContext context,
            @Nullable SpanContext parent,
            SpanKind kind,
            String name,
            Anchor anchor,
            long nano) {
        this.tracer = tracer;
        this.context = context;
        this.parent = parent;
        this.kind = kind;
        this.name = name;
        this.anchor = anchor;
        this.startNano = nano;
    }

    /** A span that records nothing and only carries its context. */
    Span(SpanContext context) {
        this.context = context;
        this.parent = null;
        this.tracer = Tracer.off();
        this.kind = SpanKind.INTERNAL;
        this.name = "";
        this.anchor = NO_TIME;
        this.startNano = 0;
        this.state = ENDED;
    }

    /** The span that the calling thread's innermost open {@link Scope} belongs to, or {@link #none()}. */
    public static Span current() {
        return Scope.currentSpan();
    }

    /** A span that is none: it records nothing and its context is {@link SpanContext#NONE}. */
    public static Span none() {
        return NONE;
    }

    /** Makes this the calling thread's current span until the scope is closed. */
    public Scope makeCurrent() {
        return Scope.open(this);
    }

    public SpanContext context() {
        return context;
    }

    /** Whether what is set still counts: false once the span has ended, and always when it was not sampled. */
    public boolean recording() {
        return state != ENDED;
    }

    /** Renames the span, as when the route of a request becomes known. */
    public Span rename(String newName) {
        if (begin()) {
            name = newName;
            finish();
        }
        return this;
    }

    public Span set(String key, @Nullable String value) {
        return put(key, value);
    }

    public Span set(String key, long value) {
        return recording() ? put(key, value) : this;
    }

    public Span set(String key, double value) {
        return recording() ? put(key, value) : this;
    }

    public Span set(String key, boolean value) {
        return put(key, value);
    }

    /** Sets a value of any type, as {@link Attributes} takes it. */
    public Span set(String key, @Nullable Object value) {
        return recording() ? put(key, AttributeValues.of(value)) : this;
    }

    public Span set(Attributes values) {
        if (begin()) {
            putAll(values);
            finish();
        }
        return this;
    }

    public Span event(String eventName) {
        return event(eventName, Attributes.none());
    }

    public Span event(String eventName, Attributes values) {
        if (begin()) {
            details().event(eventName, now(), values);
            finish();
        }
        return this;
    }

    /** Records an exception as an event without ending the span or calling it failed. */
    public Span exception(Throwable error) {
        return recording() ? event("exception", StackTraces.attributes(error)) : this;
    }

    public Span link(SpanContext linked) {
        return link(linked, Attributes.none());
    }

    /** Links to a span elsewhere that this one has to do with; a context that is not valid is no link. */
    public Span link(SpanContext linked, Attributes values) {
        if (linked.valid() && begin()) {
            details().link(linked, values);
            finish();
        }
        return this;
    }

    public Span status(SpanStatus status) {
        return status(status, null);
    }

    /** Sets the status; a description counts only with {@link SpanStatus#ERROR}, and an OK is never taken back. */
    public Span status(SpanStatus status, @Nullable String description) {
        if (begin()) {
            details().status(status, description);
            finish();
        }
        return this;
    }

    public void end() {
        end(Attributes.none());
    }

    public void end(Attributes values) {
        if (begin()) {
            putAll(values);
            close();
        }
    }

    /** Ends the span as failed: status ERROR and the exception as an event. */
    public void end(Throwable error) {
        if (!recording()) {
            return;
        }
        Attributes event = StackTraces.attributes(error); // foreign code runs here, so before the span is taken
        String message = StackTraces.message(error);
        if (begin()) {
            details().event("exception", now(), event);
            details().status(SpanStatus.ERROR, message.isEmpty() ? null : message);
            close();
        }
    }

    // What an exporter reads, once the span has ended and changes no more.

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
    AttributeSet endAttributes() {
        return attributes;
    }

    @Nullable
    SpanDetails endDetails() {
        return details;
    }

    private Span put(String key, @Nullable Object value) {
        if (begin()) {
            attributes().put(key, value);
            finish();
        }
        return this;
    }

    private void putAll(Attributes values) {
        if (values.size() > 0) {
            attributes().putAll(values);
        }
    }

    private AttributeSet attributes() {
        AttributeSet present = attributes;
        if (present == null) {
            present = new AttributeSet(limits().attributes(), limits().valueLength());
            attributes = present;
        }
        return present;
    }

    private SpanDetails details() {
        SpanDetails present = details;
        if (present == null) {
            present = new SpanDetails(limits());
            details = present;
        }
        return present;
    }

    private SpanLimits limits() {
        return tracer.limits();
    }

    private long now() {
        return anchor.epochNanos(tracer.nanoTime());
    }

    /** Takes the span for a change; false when it has ended. */
    private boolean begin() {
        while (true) {
            int seen = state;
            if (seen == ENDED) {
                return false;
            }
            if (seen == OPEN && STATE.compareAndSet(this, OPEN, BUSY)) {
                return true;
            }
            Thread.onSpinWait();
        }
    }

    private void finish() {
        state = OPEN;
    }

    private void close() {
        endNano = Math.max(startNano, tracer.nanoTime());
        state = ENDED;
        tracer.ended(this);
    }

    private static VarHandle stateHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Span.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
