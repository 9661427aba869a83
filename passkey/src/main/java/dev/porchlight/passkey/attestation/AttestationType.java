// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

/** What kind of evidence an attestation is, as section 6.5.3 names them. */
public enum AttestationType {
    /** No evidence. */
    NONE,
    /** The credential's own key vouches for itself. */
    SELF,
    /**
     * A key of the authenticator's batch vouches. Some formats cannot tell this from {@link #ATT_CA}; they count as
     * basic.
     */
    BASIC,
    /** A key certified for one authenticator by an attestation CA vouches, as with a TPM. */
    ATT_CA,
    /** A CA that keeps the authenticator anonymous certifies the credential's key itself, as with Apple. */
    ANON_CA
}
