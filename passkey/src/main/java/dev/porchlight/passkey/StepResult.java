// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/**
 * One line of a ceremony's transcript: the result of a verification step. Received text is short and printable. It
 * contains no user id, key or signature, and no complete challenge, handle or credential id.
 *
 * @param expected the expected value; empty if the step passed and the observer does not explain
 * @param found the received value; empty in the same cases
 * @param nanos the duration of the step
 */
public record StepResult(Step step, boolean passed, String expected, String found, long nanos) {
    /** Creates a refusal outside of the verified steps, such as by the database. */
    public static StepResult refused(Step step, String found) {
        return new StepResult(step, false, "", found, 0);
    }

    /** Returns the reason of a refusal, for a log line. */
    public String detail() {
        return expected.isEmpty() ? found : "expected " + expected + ", found " + found;
    }
}
