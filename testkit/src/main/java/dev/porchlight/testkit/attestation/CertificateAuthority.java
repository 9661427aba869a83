// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attestation;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.key.SeededRandom;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;

/** A certificate authority for attestation: a root and an issuing intermediate. Thread-safe. */
public final class CertificateAuthority {
    static final String ORGANIZATION = "Porchlight testkit";

    private static final String UNIT = "Authenticator Attestation CA";
    private static final CertificateAuthority KIT = new CertificateAuthority("kit");
    private static final CertificateAuthority IMPOSTOR = new CertificateAuthority("impostor");

    private final byte[] root;
    private final byte[] rootName;
    private final CredentialKey rootKey;
    private final byte[] intermediate;
    private final byte[] intermediateName;
    private final CredentialKey intermediateKey;

    private CertificateAuthority(String seed) {
        SecureRandom random = SeededRandom.of(Octets.utf8(seed));
        rootKey = KeyAlgorithm.ES256.generate(random);
        CertificateDraft rootDraft = new CertificateDraft(rootKey.publicKey())
                .subject("CH", ORGANIZATION, UNIT, "Root")
                .authority(true);
        rootName = rootDraft.subject();
        root = rootDraft.sign(rootName, rootKey);
        intermediateKey = KeyAlgorithm.ES256.generate(random);
        CertificateDraft draft = new CertificateDraft(intermediateKey.publicKey())
                .serial(BigInteger.TWO)
                .subject("CH", ORGANIZATION, UNIT, "Intermediate")
                .authority(true);
        intermediateName = draft.subject();
        intermediate = draft.sign(rootName, rootKey);
    }

    private CertificateAuthority(byte[] certificate, CredentialKey key) {
        root = certificate.clone();
        rootName = CertificateDraft.read(certificate).getSubjectX500Principal().getEncoded();
        rootKey = key;
        intermediate = root;
        intermediateName = rootName;
        intermediateKey = key;
    }

    /** Returns an authority that issues with any certificate, even an end-entity certificate. */
    public static CertificateAuthority usurped(byte[] certificate, CredentialKey key) {
        return new CertificateAuthority(certificate, key);
    }

    /**
     * The authority of the testkit's authenticators. Its key is public: never trust it outside of tests.
     */
    public static CertificateAuthority kit() {
        return KIT;
    }

    /** An untrusted authority with the same names. */
    public static CertificateAuthority impostor() {
        return IMPOSTOR;
    }

    public X509Certificate root() {
        return CertificateDraft.read(root);
    }

    public byte[] rootOctets() {
        return root.clone();
    }

    /** Issues a certificate and returns its chain, leaf first, without the root. */
    List<byte[]> issue(CertificateDraft leaf, SecureRandom random) {
        byte[] signed = leaf.serial(new BigInteger(63, random)).sign(intermediateName, intermediateKey);
        return List.of(signed, intermediate);
    }

    /** Issues a certificate directly under the root, for the format that does not allow chains. */
    List<byte[]> issueDirectly(CertificateDraft leaf, SecureRandom random) {
        return List.of(leaf.serial(new BigInteger(63, random)).sign(rootName, rootKey));
    }
}
