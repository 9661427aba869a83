// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/**
 * What a sound attestation that leads to none of the caller's trust anchors means. Unsound ones are refused whatever
 * the policy.
 */
public enum AttestationPolicy {
    /** Attestation was not asked for. One that comes anyway is verified and recorded, and never trusted. */
    NOT_REQUESTED,
    /** Trust is assessed and recorded; what is untrusted, self attested or not attested is accepted as such. */
    ACCEPT_UNTRUSTED,
    /** Only an attestation that leads to a trust anchor is accepted. */
    REQUIRE_TRUSTED
}
