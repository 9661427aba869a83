// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

/** The result of an attestation: accepted or refused. */
public sealed interface AttestationResult {

    /** Valid, and acceptable for the policy. Not necessarily trusted: see {@link Attestation#trusted()}. */
    record Accepted(Attestation attestation) implements AttestationResult {}

    /**
     * Invalid, or not trusted although the policy requires trust.
     *
     * @param reason the stable reason
     * @param detail the reason's code and, for bytes that could not be parsed, the part and the cause; fit for a log line
     */
    record Refused(AttestationReason reason, String detail) implements AttestationResult {
        Refused(AttestationReason reason) {
            this(reason, reason.code());
        }
    }
}
