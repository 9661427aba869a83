// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.trace.AnchoredClock.Anchor;
import org.jspecify.annotations.Nullable;

/**
 * One timed operation of a trace, from {@link Tracer#start} to one of the {@code end} methods.
 *
 * <p>Safe for use by several threads. The first end counts and every later call changes nothing. None of the methods
 * blocks or throws. A span that is not recorded (not sampled, or tracing is off) takes the same calls and keeps nothing.
 */
public final class Span extends SpanState {
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

    /** The thread that started the span, until it ends it. */
    private @Nullable Thread owner;

    /** Filled by the owner alone, without taking the span; null when nothing is recorded. */
    private final @Nullable AttributeSet own;

    /** What other threads have set, and the owner after them. */
    private @Nullable AttributeSet others;

    /** A recording span. */
    Span(
            Tracer tracer,
            SpanContext context,
            @Nullable SpanContext parent,
            SpanKind kind,
            String name,
            Anchor anchor,
            long startNano) {
        super(true);
        this.tracer = tracer;
        this.context = context;
        this.parent = parent;
        this.kind = kind;
        this.name = name;
        this.anchor = anchor;
        this.startNano = startNano;
        this.own = new AttributeSet(tracer.limits());
        this.owner = Thread.currentThread();
    }

    /** A span that records nothing and only carries its context. */
    Span(SpanContext context) {
        super(false);
        this.tracer = Tracer.off();
        this.context = context;
        this.parent = null;
        this.kind = SpanKind.INTERNAL;
        this.name = "";
        this.anchor = NO_TIME;
        this.startNano = 0;
        this.own = null;
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

    /** Renames the span, as when the route of a request becomes known. */
    public Span rename(String newName) {
        if (take()) {
            name = newName;
            release();
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
        if (values.size() == 0) {
            return this;
        }
        AttributeSet mine = mine();
        if (mine != null) {
            mine.putAll(values);
        } else if (take()) {
            try {
                others().putAll(values);
            } finally {
                release();
            }
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

    /** Records an exception as an event, without ending the span or calling it failed. */
    public Span exception(Throwable error) {
        return recording() ? event("exception", StackTraces.attributes(error)) : this;
    }

    public Span link(SpanContext linked) {
        return link(linked, Attributes.none());
    }

    /** Links to a span elsewhere that this one has to do with; a context that is not valid is no link. */
    public Span link(SpanContext linked, Attributes values) {
        if (linked.valid() && take()) {
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

    /** Sets the status; a description counts only with {@link SpanStatus#ERROR}, and an OK is never taken back. */
    public Span status(SpanStatus status, @Nullable String description) {
        if (take()) {
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
        Attributes exception = error == null ? null : StackTraces.attributes(error); // foreign code: before taking
        String message = error == null ? null : StackTraces.message(error);
        if (!take()) {
            return;
        }
        try {
            AttributeSet mine = mine();
            if (values.size() > 0) {
                (mine != null ? mine : others()).putAll(values);
            }
            if (mine != null) {
                owner = null;
            }
            if (exception != null) {
                details().event("exception", anchor.epochNanos(now), exception);
                details().status(SpanStatus.ERROR, message);
            }
        } finally {
            endNano = Math.max(startNano, now);
            seal();
            tracer.ended(this);
        }
    }

    private Span put(String key, @Nullable Object value) {
        AttributeSet mine = mine();
        if (mine != null) {
            mine.put(key, value);
        } else if (take()) {
            try {
                others().put(key, value);
            } finally {
                release();
            }
        }
        return this;
    }

    /**
     * The owner's attributes for the owner, who needs no lock for them, until another thread has set one: from then on the
     * order of the two counts. Null for everybody else, and once the span has ended.
     */
    private @Nullable AttributeSet mine() {
        return owner == Thread.currentThread() && others == null && recording() ? own : null;
    }

    private AttributeSet others() {
        AttributeSet present = others;
        if (present == null) {
            present = new AttributeSet(tracer.limits());
            if (own != null) {
                present.putAll(own); // so that what is replaced does not count twice against the limit
            }
            others = present;
        }
        return present;
    }

    private SpanDetails details() {
        SpanDetails present = details;
        if (present == null) {
            present = new SpanDetails(tracer.limits());
            details = present;
        }
        return present;
    }

    private long now() {
        return anchor.epochNanos(tracer.nanoTime());
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
        if (own == null || owner == null && others == null) {
            return own;
        }
        // Somebody else ended the span, or set something. The owner may even now be at its set, which is then read as
        // far as
        // it has come: a copy leaves out the pair that is not whole.
        AttributeSet all = new AttributeSet(tracer.limits());
        all.putAll(own);
        if (others != null) {
            all.putAll(others);
        }
        return all;
    }

    @Nullable
    SpanDetails endDetails() {
        return details;
    }
}
