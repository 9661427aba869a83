// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.InvalidStatementException.require;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Verifies format {@code apple} (section 8.8): Apple certifies the credential's key for one ceremony. The statement has no
 * signature, so trust depends on the certificate chain alone.
 */
final class AppleFormat {
    private static final String NONCE = "1.2.840.113635.100.8.2";

    private AppleFormat() {}

    static Evidence verify(Statement statement)
            throws InvalidStatementException, MalformedException, CertificateException {
        var doubt = statement.requireMembers("x5c"); // early statements also have an "alg", which is not used
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate credCert = x5c.get(0);

        Bytes nonce = nonce(Certificates.requireExtension(credCert, NONCE));
        require(nonce.equals(statement.attested().sha256()), AttestationReason.NONCE_MISMATCH);
        require(statement.key().matches(credCert.getPublicKey()), AttestationReason.PUBLIC_KEY_MISMATCH);
        return new Evidence(Attestation.Type.ANON_CA, x5c, doubt);
    }

    /** {@code SEQUENCE { [1] EXPLICIT OCTET STRING }}. */
    private static Bytes nonce(byte[] extension) throws MalformedException {
        Der sequence = Der.sequence(extension);
        Der field = sequence.enter(Der.explicit(1));
        Bytes nonce = Bytes.copyOf(field.bytes(Der.OCTET_STRING));
        field.finish();
        sequence.finish();
        return nonce;
    }
}
