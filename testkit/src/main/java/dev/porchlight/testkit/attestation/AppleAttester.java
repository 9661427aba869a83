// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;

/**
 * Creates {@code apple} statements: a certificate for the credential key that contains a nonce (WebAuthn section 8.8).
 */
public final class AppleAttester implements Attester {
    public static final String NONCE_EXTENSION = "1.2.840.113635.100.8.2";

    private final Issuer issuer;

    public AppleAttester(Issuer issuer) {
        this.issuer = issuer;
    }

    @Override
    public Statement attest(Subject subject) {
        CertificateDraft leaf = new CertificateDraft(subject.key().publicKey())
                .subject("CH", CertificateAuthority.ORGANIZATION, "AAA Certification", "Soft platform");
        nonce(leaf, Octets.sha256(subject.signedOctets()));
        return new Statement("apple", "x5c", issuer.issue(leaf, subject.random));
    }

    /** Adds a nonce to a certificate. */
    public static void nonce(CertificateDraft leaf, byte[] nonce) {
        leaf.extension(NONCE_EXTENSION, false, Der.sequence(Der.tagged(1, Der.octets(nonce))));
    }
}
