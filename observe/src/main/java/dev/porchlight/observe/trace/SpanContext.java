// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;

/**
 * The identity of a span, as it is passed between services. Immutable.
 *
 * <p>Ids are stored as numbers, because they are compared and passed on far more often than printed.
 *
 * @param traceIdHigh the first eight bytes of the trace id
 * @param traceIdLow the last eight bytes of the trace id
 * @param spanId the eight bytes of the span id
 * @param flags the W3C trace flags: bit 0 sampled, bit 1 random trace id
 * @param traceState the validated W3C trace state of other vendors; may be empty
 * @param remote whether it was received from another process
 */
public record SpanContext(
        long traceIdHigh, long traceIdLow, long spanId, int flags, String traceState, boolean remote) {
    /** No span. As a parent, it starts a new trace. */
    public static final SpanContext NONE = new SpanContext(0, 0, 0, 0, "", false);

    /** Replaces a null trace state with an empty one. */
    public SpanContext {
        traceState = traceState == null ? "" : traceState;
    }

    static final int SAMPLED = 1;
    static final int RANDOM = 2;

    /** Returns whether both ids are non-zero. */
    public boolean valid() {
        return (traceIdHigh | traceIdLow) != 0 && spanId != 0;
    }

    public boolean sampled() {
        return (flags & SAMPLED) != 0;
    }

    /** Returns the trace id as 32 lowercase hex digits. */
    public String traceIdHex() {
        return new WireBuffer(32).hex(traceIdHigh).hex(traceIdLow).toString();
    }

    /** Returns the span id as 16 lowercase hex digits. */
    public String spanIdHex() {
        return new WireBuffer(16).hex(spanId).toString();
    }
}
