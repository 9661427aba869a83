// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/**
 * One line of a ceremony's transcript: the result of a verification step. Received text in it is short and printable, and
 * it holds no user id, key or signature and no whole challenge, handle or credential id.
 *
 * @param expected what passes; empty if the step was not refused and the observer does not explain
 * @param found what was received; empty in the same cases
 * @param nanos how long the step took
 */
public record StepResult(Step step, boolean passed, String expected, String found, long nanos) {
    /** A refusal outside of a ceremony's own steps, such as by the database. */
    public static StepResult refused(Step step, String found) {
        return new StepResult(step, false, "", found, 0);
    }

    /** Why the step refused, for a log line. */
    public String detail() {
        return expected.isEmpty() ? found : "expected " + expected + ", found " + found;
    }
}
