// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/**
 * The result of a row.
 *
 * @param measured the measurements as text, failures in bold
 */
public record ScenarioResult(Kind kind, String measured) {
    /** The status of a row. */
    public enum Kind {
        PASSED,
        FAILED,
        SKIPPED;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
