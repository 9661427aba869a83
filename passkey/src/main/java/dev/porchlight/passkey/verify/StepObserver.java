// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.StepResult;

/** Receives the transcript of a ceremony, step by step, on the thread that verifies. */
public interface StepObserver {
    /** A step was checked. Unless the observer explains, a refusal is the last. */
    void checked(StepResult result);

    /** A signature was verified, whether or not it is valid. The time is also part of its step's. */
    default void signatureVerified(long nanos) {}

    /**
     * Whether the observer explains a ceremony: steps that pass come with their expected and found values, and the steps
     * after a refusal are checked too, as far as they can be. The verdict is the same in either case.
     */
    default boolean explains() {
        return false;
    }
}
