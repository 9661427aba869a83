// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Locale;

/** Why a log line was lost. */
public enum LineDropReason {
    /** The sink was slower than the lines came, and the queue was full. */
    QUEUE_FULL,
    /** The sink threw. */
    SINK_FAILED,
    /** The writer was closed already. */
    CLOSED,
    /** The sink itself logged while it was writing. */
    REENTRANT,
    /** The line could not be made. */
    ENCODING_FAILED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The word for a metric's label: {@code queue_full}. */
    public String label() {
        return label;
    }
}
