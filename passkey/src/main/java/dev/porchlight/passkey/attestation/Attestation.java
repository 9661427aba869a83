// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import java.util.Optional;

/**
 * A valid attestation. Immutable.
 *
 * @param format the format of its statement
 * @param type the kind of evidence
 * @param aaguid the authenticator model in the authenticator data: 16 bytes, authentic only if the attestation is trusted
 * @param doubt why it is not trusted; empty if it is
 */
public record Attestation(AttestationFormat format, Type type, Bytes aaguid, Optional<AttestationReason> doubt) {

    /** The kinds of evidence, as section 6.5.3 names them. */
    public enum Type {
        /** No evidence. */
        NONE,
        /** A signature by the credential's own key. */
        SELF,
        /** A signature by the key of an authenticator's batch. Some formats cannot distinguish it from {@link #ATT_CA}. */
        BASIC,
        /** A signature by a key that an attestation CA has certified for one authenticator, as with a TPM. */
        ATT_CA,
        /** A certificate for the credential's key by a CA that keeps the authenticator anonymous, as with Apple. */
        ANON_CA
    }

    /** Returns whether it leads to a trust anchor. */
    public boolean trusted() {
        return doubt.isEmpty();
    }
}
