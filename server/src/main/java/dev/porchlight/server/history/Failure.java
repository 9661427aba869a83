// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import org.jspecify.annotations.Nullable;

/**
 * A failed ceremony as one instance knows it.
 *
 * @param response the refused response, or empty
 */
record Failure(Ceremony ceremony, String response) {
    /**
     * Returns whether a response may have the results of the prf extension: keys of the user, which are not stored. Escapes may
     * hide their names, and no browser writes any.
     */
    static boolean mayHaveSecrets(String response) {
        return response.contains("\\u") || response.contains("\"prf\"") && response.contains("\"results\"");
    }

    /** The refused response with its refusal; null if it is not kept. */
    @Nullable
    Capture capture() {
        return response.isEmpty() ? null : Capture.of(ceremony, response);
    }
}
