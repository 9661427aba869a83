// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * An event about tracing for operators, rare enough to be logged.
 *
 * @param kind the kind of event
 * @param message a self-contained sentence
 * @param details the figures
 */
public record TraceEvent(Kind kind, String message, Attributes details) {
    /** The kind of event. */
    public enum Kind {
        /** Spans cannot be sent: the first failure after a success. */
        EXPORT_FAILED,
        /** Spans still cannot be sent; reported at most every ten minutes. */
        EXPORT_STILL_FAILING,
        /** Spans can be sent again. */
        EXPORT_RECOVERED,
        /** The collector accepted a batch but rejected some of its spans; reported at most every ten minutes. */
        SPANS_REJECTED,
        /** The queue was full; reported at most every ten minutes. */
        SPANS_DROPPED,
        /** The tracer was closed with unsent spans. */
        SPANS_LOST;
    }
}
