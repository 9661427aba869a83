// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/** Decides whether a new span is recorded and sent. */
@FunctionalInterface
interface Sampler {
    Sampler ALWAYS_ON = (parent, traceIdLow) -> true;
    Sampler ALWAYS_OFF = (parent, traceIdLow) -> false;

    /**
     * Returns whether to sample a new span.
     *
     * @param parent the parent, {@link SpanContext#NONE} for a new trace
     * @param traceIdLow the last eight bytes of the span's trace id
     */
    boolean sample(SpanContext parent, long traceIdLow);

    /** Samples a ratio of all traces, based on the trace id, so that all services with this ratio agree. */
    static Sampler ratio(double ratio) {
        if (ratio >= 1) {
            return ALWAYS_ON;
        }
        // The same comparison as in the OpenTelemetry SDK for Java, so that both choose the same traces.
        long bound = (long) (ratio * Long.MAX_VALUE);
        return (parent, traceIdLow) -> Math.abs(traceIdLow) < bound && traceIdLow != Long.MIN_VALUE;
    }

    /** Follows the parent's decision, and uses {@code root} for a new trace. */
    static Sampler parentBased(Sampler root) {
        return (parent, traceIdLow) -> parent.valid() ? parent.sampled() : root.sample(parent, traceIdLow);
    }
}
