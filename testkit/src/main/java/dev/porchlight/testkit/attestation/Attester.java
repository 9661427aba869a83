// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

/** Creates attestation statements of one format. */
@FunctionalInterface
public interface Attester {
    /** No attestation. */
    Attester NONE = subject -> new Statement("none");

    Statement attest(Subject subject);

    /** Returns the AAGUID for the authenticator data in this format, given the authenticator's AAGUID. */
    default byte[] aaguid(byte[] own) {
        return own;
    }
}
