// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.export;

import java.util.Locale;

/** The reason why an item was lost. */
public enum DropReason {
    /** The queue was full: items arrive faster than the collector accepts them. */
    QUEUE_FULL,
    /** The exporter was closed before the item could be sent. */
    SHUTDOWN,
    /** The collector refused the batch permanently, or was unreachable for too long. */
    EXPORT_FAILED,
    /** The collector accepted the batch but not this item. */
    REJECTED,
    /** The item alone exceeds the size limit of a request. */
    TOO_LARGE;

    /** Returns the value of the metric label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
