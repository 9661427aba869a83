// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** Where an operation spends its time, apart from checking steps. */
public enum OperationPhase {
    /** Calling the challenge store. */
    CHALLENGE_STORE,
    /** Calling the database of users and passkeys. */
    DATABASE,
    /** Verifying the signature of an assertion. */
    SIGNATURE
}
