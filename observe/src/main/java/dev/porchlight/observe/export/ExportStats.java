// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.export;

/**
 * Live counts of exported items: spans, metric points or log records. Thread-safe.
 *
 * <p>Every item is exported, dropped for one {@link DropReason}, queued, or being sent.
 */
public interface ExportStats {
    /** Returns the number of items that were passed to the exporter, including dropped ones. */
    long offered();

    /** Returns the number of items that the collector accepted. */
    long exported();

    long dropped(DropReason reason);

    /** Returns the number of dropped items, for all reasons. */
    long dropped();

    /** Returns the number of requests to the collector with this result. */
    long batches(ExportResult result);

    /** Returns the total duration of requests to the collector. */
    long exportNanos();

    /** Returns the number of items waiting to be sent. */
    int queueSize();

    int queueCapacity();

    /** Returns whether the last request failed, so that the worker backs off. */
    boolean circuitOpen();
}
