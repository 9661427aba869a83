// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;

/** Creates {@code packed} statements with a certificate (WebAuthn section 8.2). */
public final class PackedAttester implements Attester {
    /** The extension with the AAGUID. */
    public static final String AAGUID_EXTENSION = "1.3.6.1.4.1.45724.1.1.4";

    private final Issuer issuer;

    public PackedAttester(Issuer issuer) {
        this.issuer = issuer;
    }

    /** Returns an attester for self attestation, with the credential's key and no certificate. */
    public static Attester self() {
        return subject -> new Statement(
                "packed",
                "alg",
                subject.key().algorithm().cose(),
                "sig",
                subject.key().sign(subject.signedOctets()));
    }

    @Override
    public Statement attest(Subject subject) {
        CredentialKey key = KeyAlgorithm.ES256.generate(subject.random);
        CertificateDraft leaf = new CertificateDraft(key.publicKey())
                .subject("CH", CertificateAuthority.ORGANIZATION, "Authenticator Attestation", "Soft authenticator")
                .extension(AAGUID_EXTENSION, false, Der.octets(subject.aaguid));
        return new Statement(
                "packed",
                "alg",
                key.algorithm().cose(),
                "sig",
                key.sign(subject.signedOctets()),
                "x5c",
                issuer.issue(leaf, subject.random));
    }
}
