// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Locale;

/** The reason why a log line was lost. */
public enum LineDropReason {
    /** The sink was too slow, and the queue was full. */
    QUEUE_FULL,
    /** The sink threw. */
    SINK_FAILED,
    /** The writer was already closed. */
    CLOSED,
    /** The sink itself logged while it was writing. */
    REENTRANT,
    /** The line could not be encoded. */
    ENCODING_FAILED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the value of the metric label, such as {@code queue_full}. */
    public String label() {
        return label;
    }
}
