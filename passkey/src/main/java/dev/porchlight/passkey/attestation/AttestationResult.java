// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

/** What became of an attestation: accepted as what it is, or refused. */
public sealed interface AttestationResult {

    /**
     * Sound, and good enough for the policy. Not necessarily trusted: ask {@link Attestation#trusted()}.
     *
     * @param attestation what it is
     */
    record Accepted(Attestation attestation) implements AttestationResult {}

    /**
     * Unsound, or not trusted where the policy demands it.
     *
     * @param reason one stable word
     * @param detail the word's code and, for bytes that could not be read, which part and why; fit for a log line
     */
    record Refused(AttestationReason reason, String detail) implements AttestationResult {
        Refused(AttestationReason reason) {
            this(reason, reason.code());
        }
    }
}
