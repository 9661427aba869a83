// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;

/** Attests in the format {@code packed} with a certificate (WebAuthn section 8.2). */
public final class PackedAttester implements Attester {
    /** The extension that names the model of the authenticator. */
    public static final String AAGUID_EXTENSION = "1.3.6.1.4.1.45724.1.1.4";

    private final Issuer issuer;

    public PackedAttester(Issuer issuer) {
        this.issuer = issuer;
    }

    /** Attests with the credential's own key and no certificate. */
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
        CredentialKey key = KeyAlgorithm.ES256.generate(subject.random());
        CertificateDraft leaf = new CertificateDraft(key.publicKey())
                .subject("CH", CertificateAuthority.ORGANISATION, "Authenticator Attestation", "Soft authenticator")
                .extension(AAGUID_EXTENSION, false, Der.octets(subject.aaguid()));
        return new Statement(
                "packed",
                "alg",
                key.algorithm().cose(),
                "sig",
                key.sign(subject.signedOctets()),
                "x5c",
                issuer.issue(leaf, subject.random()));
    }
}
