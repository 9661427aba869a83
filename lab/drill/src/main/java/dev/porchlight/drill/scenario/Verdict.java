// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/**
 * What came of a row.
 *
 * @param measured in words, with what failed in bold
 */
public record Verdict(Kind kind, String measured) {
    /** How a row can end. */
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
