// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Locale;

/** How one request to the collector ended. */
public enum ExportResult {
    /** The batch was taken. */
    SUCCESS,
    /** The batch was taken except for some spans. */
    PARTIAL,
    /** The batch was not taken and will be sent again. */
    RETRY,
    /** The batch was refused and is given up. */
    FAILED;

    /** The result as a metric label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
