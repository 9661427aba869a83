// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** Where an act spends its time. */
public enum Phase {
    /** Asking the challenge store. */
    CHALLENGE_STORE,
    /** Asking the database of users and passkeys. */
    DATABASE,
    /** Verifying the signature of an assertion. */
    SIGNATURE
}
