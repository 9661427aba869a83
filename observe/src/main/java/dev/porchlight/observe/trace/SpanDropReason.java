// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Locale;

/** The reason why an ended span was lost. */
public enum SpanDropReason {
    /** The queue was full: spans end faster than the collector accepts them. */
    QUEUE_FULL,
    /** The tracer was closed before the span could be sent. */
    SHUTDOWN,
    /** The collector refused the batch permanently, or was unreachable for too long. */
    EXPORT_FAILED,
    /** The collector accepted the batch but not this span. */
    REJECTED,
    /** The span alone exceeds the size limit of a request. */
    TOO_LARGE;

    /** Returns the value of the metric label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
