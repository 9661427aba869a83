// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.InvalidStatementException.require;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.CoseKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Verifies format {@code packed} (section 8.2), signed by an attestation key or by the credential's key. */
final class PackedFormat {
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String COUNTRY = "2.5.4.6";
    private static final String ORGANIZATION = "2.5.4.10";
    private static final String ORGANIZATIONAL_UNIT = "2.5.4.11";

    private PackedFormat() {}

    static Evidence verify(Statement statement, AttestationSignature signatures)
            throws InvalidStatementException, MalformedException, CertificateException {
        require(!statement.has("ecdaaKeyId"), AttestationReason.ECDAA_UNSUPPORTED);
        return statement.has("x5c") ? attested(statement, signatures) : self(statement, signatures);
    }

    private static Evidence attested(Statement statement, AttestationSignature signatures)
            throws InvalidStatementException, MalformedException, CertificateException {
        var doubt = statement.requireMembers("alg", "sig", "x5c");
        long alg = statement.number("alg");
        Bytes sig = statement.bytes("sig");
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate attestnCert = x5c.get(0);

        signatures.require(alg, attestnCert.getPublicKey(), sig, statement.attested());
        requireCertificate(attestnCert, statement.credential().aaguid());
        // Basic or from an attestation CA: the statement does not distinguish them.
        return new Evidence(Attestation.Type.BASIC, x5c, doubt);
    }

    private static Evidence self(Statement statement, AttestationSignature signatures)
            throws InvalidStatementException, MalformedException {
        statement.requireMembers("alg", "sig"); // unknown members do not matter: self attestation is never trusted
        Bytes sig = statement.bytes("sig");
        long alg = CoseKey.read(statement.credential().publicKey()).algorithm();
        require(statement.number("alg") == alg, AttestationReason.ALGORITHM_MISMATCH);
        require(signatures.isBy(statement.key(), sig, statement.attested()), AttestationReason.SIGNATURE_INVALID);
        return Evidence.doubtful(Attestation.Type.SELF, List.of(), AttestationReason.SELF_ATTESTED);
    }

    /** Section 8.2.1. */
    private static void requireCertificate(X509Certificate certificate, Bytes aaguid)
            throws InvalidStatementException, MalformedException {
        require(certificate.getVersion() == 3, AttestationReason.CERTIFICATE_VERSION);
        require(isAuthenticator(DirectoryName.subject(certificate)), AttestationReason.CERTIFICATE_SUBJECT);
        require(Certificates.deniesAuthority(certificate), AttestationReason.CERTIFICATE_AUTHORITY);
        require(Certificates.allowsModel(certificate, aaguid), AttestationReason.CERTIFICATE_AAGUID);
    }

    private static boolean isAuthenticator(DirectoryName subject) {
        return subject.has(COUNTRY, "[A-Z]{2}")
                && subject.has(ORGANIZATION)
                && subject.has(ORGANIZATIONAL_UNIT, "Authenticator Attestation")
                && subject.has(COMMON_NAME);
    }
}
