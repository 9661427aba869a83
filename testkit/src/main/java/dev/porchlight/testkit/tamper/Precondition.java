// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

/** What must hold beforehand for a mutation to be one. */
public enum Precondition {
    /** The relying party requires user verification. */
    USER_VERIFICATION_REQUIRED,
    /** The relying party wants attestation, trusts the kit's root and nobody else. */
    ATTESTATION_TRUSTED,
    /** The authenticator counts, and the passkey has signed in before. */
    COUNTED,
    /** The passkey was registered as eligible for backup. */
    BACKUP_ELIGIBLE,
    /** The authenticator holds a registered passkey of another user. */
    ANOTHER_USER,
    /** The browser took part in an earlier ceremony, which is finished, so that its challenge is spent. */
    EARLIER_CEREMONY
}
