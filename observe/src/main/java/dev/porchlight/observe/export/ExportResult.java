// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.export;

import java.util.Locale;

/** The result of one request to the collector. */
public enum ExportResult {
    /** The batch was accepted. */
    SUCCESS,
    /** The batch was accepted except for some items. */
    PARTIAL,
    /** The batch was not accepted and will be retried. */
    RETRY,
    /** The batch was refused and is dropped. */
    FAILED;

    /** Returns the value of the metric label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
