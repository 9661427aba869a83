// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.passkey.verify.Step;

/**
 * What became of one step.
 *
 * @param detail why it refused, or was not checked; empty if it passed
 */
public record Finding(Step step, State state, String detail) {
    /** Whether a step was checked, and passed. */
    public enum State {
        PASSED,
        REFUSED,
        /** It passed, for want of what would have to be compared. */
        NOT_CHECKED
    }
}
