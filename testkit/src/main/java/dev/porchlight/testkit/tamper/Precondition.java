// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

/** A condition that a test must arrange before a mutation. */
public enum Precondition {
    /** The relying party requires user verification. */
    USER_VERIFICATION_REQUIRED,
    /** The relying party requires attestation and trusts only the testkit's root. */
    ATTESTATION_TRUSTED,
    /** The relying party also offers RS256. */
    RS256_OFFERED,
    /** The authenticator counts, and the passkey has signed in before. */
    COUNTED,
    /** The passkey was registered as eligible for backup. */
    BACKUP_ELIGIBLE,
    /** The authenticator holds a registered passkey of another user. */
    ANOTHER_USER,
    /** The browser finished an earlier ceremony, so that its challenge is used. */
    EARLIER_CEREMONY
}
