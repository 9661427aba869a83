// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.StepResult;

/** Receives the transcript of a ceremony, step by step, on the thread that verifies. */
public interface StepObserver {
    /** A step was checked. Unless the observer explains, a refusal is the last event. */
    void checked(StepResult result);

    /** A signature was verified, valid or not. The time is also part of the time of its step. */
    default void signatureVerified(CredentialAlgorithm algorithm, long nanos) {}

    /**
     * Returns whether the observer explains a ceremony: steps that pass also report their expected and found values, and the
     * steps after a refusal are checked as far as possible. The verdict does not change.
     */
    default boolean explains() {
        return false;
    }
}
