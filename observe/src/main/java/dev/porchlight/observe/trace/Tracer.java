// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import org.jspecify.annotations.Nullable;

/**
 * Starts spans. Safe for use by several threads; an application has one.
 *
 * <p>A tracer that has nowhere to send spans to is off: it hands on the context it is given and records nothing.
 */
public final class Tracer {
    private static final Tracer OFF = new Tracer();

    private final boolean enabled;
    private final Ids ids;
    private final Sampler sampler;
    private final SpanLimits limits;
    private final AnchoredClock clock;

    private Tracer() {
        this(false, new Ids(), Sampler.ALWAYS_OFF, SpanLimits.DEFAULT, new AnchoredClock(TraceTime.SYSTEM));
    }

    Tracer(boolean enabled, Ids ids, Sampler sampler, SpanLimits limits, AnchoredClock clock) {
        this.enabled = enabled;
        this.ids = ids;
        this.sampler = sampler;
        this.limits = limits;
        this.clock = clock;
    }

    /** A tracer that is off. */
    public static Tracer off() {
        return OFF;
    }

    public boolean enabled() {
        return enabled;
    }

    public Span start(String name) {
        return start(name, Attributes.none());
    }

    /** Starts a child of the thread's current span, or a new trace when there is none. */
    public Span start(String name, Attributes attributes) {
        return start(name, attributes, Span.current().context());
    }

    public Span start(String name, Attributes attributes, SpanContext parent) {
        return start(name, attributes, parent, SpanKind.INTERNAL);
    }

    /** Starts a child of {@code parent}, or a new trace when that is {@link SpanContext#NONE}. */
    public Span start(String name, Attributes attributes, SpanContext parent, SpanKind kind) {
        if (!enabled) {
            return parent.valid() ? new Span(parent) : Span.none();
        }
        SpanContext known = parent.valid() ? parent : null;
        SpanContext context = context(known);
        if (!context.sampled()) {
            return new Span(context);
        }
        long now = clock.nanoTime();
        return new Span(this, context, known, kind, name, clock.anchor(now), now).set(attributes);
    }

    private SpanContext context(@Nullable SpanContext parent) {
        if (parent == null) {
            long high = ids.next();
            long low = ids.next();
            int flags = SpanContext.RANDOM | (sampler.sample(SpanContext.NONE, low) ? SpanContext.SAMPLED : 0);
            return new SpanContext(high, low, ids.next(), flags, "", false);
        }
        boolean sampled = sampler.sample(parent, parent.traceIdLow());
        int flags = parent.flags() & SpanContext.RANDOM | (sampled ? SpanContext.SAMPLED : 0);
        return new SpanContext(
                parent.traceIdHigh(), parent.traceIdLow(), ids.next(), flags, parent.traceState(), false);
    }

    SpanLimits limits() {
        return limits;
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    void ended(Span span) {}
}
