// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Locale;

/** Why a span that had ended never reached the collector. */
public enum SpanDropReason {
    /** The queue was full: spans end faster than the collector takes them. */
    QUEUE_FULL,
    /** The tracer was closed before the span could be sent. */
    SHUTDOWN,
    /** The collector refused the batch for good, or was away for too long. */
    EXPORT_FAILED,
    /** The collector took the batch but not this span. */
    REJECTED,
    /** The span alone is larger than a request may be. */
    TOO_LARGE;

    /** The reason as a metric label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
