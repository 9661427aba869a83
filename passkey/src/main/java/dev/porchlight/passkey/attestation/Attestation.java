// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A sound attestation: what it is evidence of, and whether that evidence is trusted. Immutable.
 *
 * @param format its statement's format
 * @param type the kind of evidence
 * @param aaguid the authenticator model that the authenticator data names: 16 bytes, believable only if it is trusted
 * @param doubt why it is not trusted; empty means that it is
 * @param certificates the SHA-256 fingerprints of the certificates it came with, in hex, the attestation certificate
 *     first. Fingerprints, because what the certificates say about themselves is a stranger's text
 * @param anchor the subject of the caller's trust anchor that it leads to
 */
public record Attestation(
        AttestationFormat format,
        AttestationType type,
        Bytes aaguid,
        Optional<AttestationReason> doubt,
        List<String> certificates,
        Optional<String> anchor) {

    public Attestation {
        certificates = List.copyOf(certificates);
        if (doubt.isPresent() == anchor.isPresent()) {
            throw new IllegalArgumentException("trusted by an anchor, or in doubt, and never both");
        }
    }

    /** Whether it leads to one of the caller's trust anchors. */
    public boolean trusted() {
        return doubt.isEmpty();
    }
}
