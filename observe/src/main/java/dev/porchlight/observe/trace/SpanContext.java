// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;

/**
 * The identity of a span, as it is passed between services. Immutable.
 *
 * <p>Ids are kept as numbers, because most spans are compared and passed on far more often than they are printed.
 *
 * @param traceIdHigh the first eight bytes of the trace id
 * @param traceIdLow the last eight bytes of the trace id
 * @param spanId the eight bytes of the span id
 * @param flags the W3C trace flags: bit 0 sampled, bit 1 random trace id
 * @param traceState the W3C trace state of other vendors, valid and ready to be sent on; empty when there is none
 * @param remote whether it came in from another process
 */
public record SpanContext(
        long traceIdHigh, long traceIdLow, long spanId, int flags, String traceState, boolean remote) {
    /** No span at all. As a parent it asks for a new trace. */
    public static final SpanContext NONE = new SpanContext(0, 0, 0, 0, "", false);

    /** Takes a null trace state for none. */
    public SpanContext {
        traceState = traceState == null ? "" : traceState;
    }

    static final int SAMPLED = 1;
    static final int RANDOM = 2;

    /** Whether both ids are there: all-zero ids stand for nothing. */
    public boolean valid() {
        return (traceIdHigh | traceIdLow) != 0 && spanId != 0;
    }

    public boolean sampled() {
        return (flags & SAMPLED) != 0;
    }

    /** The trace id as 32 lower-case hex digits. */
    public String traceIdHex() {
        return new WireBuffer(32).hex(traceIdHigh).hex(traceIdLow).toString();
    }

    /** The span id as 16 lower-case hex digits. */
    public String spanIdHex() {
        return new WireBuffer(16).hex(spanId).toString();
    }
}
