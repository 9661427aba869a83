// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

/** Makes the attestation statement of one format. */
@FunctionalInterface
public interface Attester {
    /** States nothing. */
    Attester NONE = subject -> new Statement("none");

    Statement attest(Subject subject);

    /** The AAGUID authenticator data must carry in this format, given the authenticator's own. */
    default byte[] aaguid(byte[] own) {
        return own;
    }
}
