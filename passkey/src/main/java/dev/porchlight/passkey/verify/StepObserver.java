// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

/** Is told of each step as it is judged. Called on the judging thread. */
public interface StepObserver {
    /** A step passed, after so long. */
    void passed(Step step, long nanos);

    /** A signature was verified, whatever came out; the time is also part of its step's. */
    void signatureVerified(long nanos);
}
