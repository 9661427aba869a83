// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * Hears what tracing has to say about itself, since it writes no logs and keeps no metrics of its own.
 *
 * <p>Called by the export worker and by the thread that opens or closes the tracer; should return quickly. What it throws
 * is ignored.
 */
@FunctionalInterface
public interface TraceListener {
    /** Something happened that deserves a log line. */
    void event(TraceEvent event);

    /** A request to the collector has ended. */
    default void exported(ExportResult result, long nanos) {}
}
