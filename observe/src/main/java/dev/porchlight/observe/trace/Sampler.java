// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** Decides whether a new span is recorded and sent. */
@FunctionalInterface
interface Sampler {
    Sampler ALWAYS_ON = (parent, traceIdLow) -> true;
    Sampler ALWAYS_OFF = (parent, traceIdLow) -> false;

    /**
     * Whether to sample.
     *
     * @param parent the parent, {@link SpanContext#NONE} for a new trace
     * @param traceIdLow the last eight bytes of the span's trace id
     */
    boolean sample(SpanContext parent, long traceIdLow);

    /** A share of all traces, chosen by the trace id, so that every service of a trace with this ratio agrees. */
    static Sampler ratio(double ratio) {
        if (ratio >= 1) {
            return ALWAYS_ON;
        }
        // The comparison the OpenTelemetry SDK for Java makes, so that both choose the same traces.
        long bound = (long) (ratio * Long.MAX_VALUE);
        return (parent, traceIdLow) -> Math.abs(traceIdLow) < bound && traceIdLow != Long.MIN_VALUE;
    }

    /** What the parent decided, and {@code root} for a new trace. */
    static Sampler parentBased(Sampler root) {
        return (parent, traceIdLow) -> parent.valid() ? parent.sampled() : root.sample(parent, traceIdLow);
    }
}
