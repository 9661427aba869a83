// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * Where exemplars find the trace the calling thread is in, without an object being made.
 *
 * <p>The ids are only asked for right after {@link #sampled()} said yes, on the same thread.
 */
public interface ExemplarSource {
    /** No traces, hence no exemplars. */
    ExemplarSource NONE = new ExemplarSource() {
        @Override
        public boolean sampled() {
            return false;
        }

        @Override
        public long traceIdHigh() {
            return 0;
        }

        @Override
        public long traceIdLow() {
            return 0;
        }

        @Override
        public long spanId() {
            return 0;
        }
    };

    /** Whether the calling thread is inside a span that is sampled. */
    boolean sampled();

    long traceIdHigh();

    long traceIdLow();

    long spanId();
}
