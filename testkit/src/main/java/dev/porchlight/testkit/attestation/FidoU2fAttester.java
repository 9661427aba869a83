// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Octets;

/** Creates {@code fido-u2f} statements, as older security keys do (WebAuthn section 8.6). */
public final class FidoU2fAttester implements Attester {
    private final Issuer issuer;
    private final KeyAlgorithm algorithm;

    public FidoU2fAttester(Issuer issuer) {
        this(issuer, KeyAlgorithm.ES256);
    }

    public FidoU2fAttester(Issuer issuer, KeyAlgorithm algorithm) {
        this.issuer = issuer;
        this.algorithm = algorithm;
    }

    @Override
    public byte[] aaguid(byte[] own) {
        return new byte[16];
    }

    @Override
    public Statement attest(Subject subject) {
        CredentialKey key = algorithm.generate(subject.random);
        CertificateDraft leaf = new CertificateDraft(key.publicKey())
                .subject("CH", CertificateAuthority.ORGANIZATION, "Authenticator Attestation", "Soft U2F key");
        byte[] signed = Octets.join(
                Octets.of(0),
                subject.rpIdHash(),
                subject.clientDataHash,
                subject.credentialId,
                Octets.of(4),
                subject.key().x(),
                subject.key().y());
        return new Statement("fido-u2f", "sig", key.sign(signed), "x5c", issuer.issueDirectly(leaf, subject.random));
    }
}
