// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** Defines if attestation is requested, and if an untrusted one is refused. An invalid statement is always refused. */
public enum AttestationPolicy {
    /** Attestation is not requested. A statement that is sent anyway is verified and recorded, and never trusted. */
    NOT_REQUESTED,
    /** Trust is assessed and recorded. Untrusted, self-attested and unattested passkeys are accepted. */
    ACCEPT_UNTRUSTED,
    /** Only an attestation that leads to a trust anchor is accepted. */
    REQUIRE_TRUSTED
}
