// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.export;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An event about an export for operators, rare enough to be logged, or for {@linkplain Kind#debug debug lines}.
 *
 * @param kind the kind of event
 * @param signal the signal that is exported
 * @param message a self-contained sentence
 * @param details the figures
 */
public record ExportEvent(Kind kind, Signal signal, String message, Map<String, Long> details) {
    public ExportEvent {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** The kind of event. */
    public enum Kind {
        /** Items cannot be sent: the first failure after a success. */
        EXPORT_FAILED,
        /** Items still cannot be sent; reported at most every ten minutes, or every minute while items are lost. */
        EXPORT_STILL_FAILING,
        /** Items can be sent again. */
        EXPORT_RECOVERED,
        /** The collector accepted a batch but rejected some of its items; reported at most every ten minutes. */
        EXPORT_REJECTED,
        /** The queue was full; reported at most every ten minutes. */
        EXPORT_DROPPED,
        /** The exporter was closed with unsent items. */
        EXPORT_LOST,
        /** A request to the collector ended. */
        EXPORT_ATTEMPT,
        /** A request failed and will be repeated. */
        EXPORT_RETRY;

        /** Returns whether this is about a single request, which only a developer wants to see. */
        public boolean debug() {
            return this == EXPORT_ATTEMPT || this == EXPORT_RETRY;
        }
    }
}
