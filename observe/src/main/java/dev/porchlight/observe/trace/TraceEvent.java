// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * Something an operator should know about tracing, rare enough to be a log line.
 *
 * @param kind what happened
 * @param message a sentence that needs no further explanation
 * @param details the same in figures
 */
public record TraceEvent(Kind kind, String message, Attributes details) {
    /** What can happen. */
    public enum Kind {
        /** Spans could not be sent for the first time since they last could. */
        EXPORT_FAILED,
        /** Spans can still not be sent; said at most every ten minutes. */
        EXPORT_STILL_FAILING,
        /** Spans can be sent again. */
        EXPORT_RECOVERED,
        /** The collector took a batch but not all its spans; said at most every ten minutes. */
        SPANS_REJECTED,
        /** The queue was full; said at most every ten minutes. */
        SPANS_DROPPED,
        /** The tracer was closed with spans still unsent. */
        SPANS_LOST;
    }
}
