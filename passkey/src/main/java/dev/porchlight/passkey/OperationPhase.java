// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** The phases of an operation that are timed, apart from the steps. */
public enum OperationPhase {
    /** Calling the challenge store. */
    CHALLENGE_STORE,
    /** Calling the database of users and passkeys. */
    DATABASE,
    /** Verifying the signature of an assertion. */
    SIGNATURE
}
