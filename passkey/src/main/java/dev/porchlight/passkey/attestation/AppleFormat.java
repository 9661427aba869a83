// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Section 8.8: Apple certifies the credential's key itself, for one ceremony. There is no signature of the statement's
 * own, so everything it is worth hangs on the certificate's chain.
 */
final class AppleFormat {
    private static final String NONCE = "1.2.840.113635.100.8.2";

    private AppleFormat() {}

    static Verdict judge(Statement statement) throws MalformedException, CertificateException {
        var doubt = statement.demand("x5c"); // the first statements had an "alg" beside it, which is not used
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate credCert = x5c.get(0);

        var extension = Certificates.extension(credCert, NONCE);
        if (extension.isEmpty()) {
            return Verdict.unsound(AttestationReason.CERTIFICATE_EVIDENCE_MISSING);
        }
        if (!nonce(extension.get()).equals(statement.attested().sha256())) {
            return Verdict.unsound(AttestationReason.NONCE_MISMATCH);
        }
        if (!statement.key().matches(credCert.getPublicKey())) {
            return Verdict.unsound(AttestationReason.PUBLIC_KEY_MISMATCH);
        }
        return Verdict.sound(AttestationType.ANON_CA, x5c, doubt);
    }

    /** {@code SEQUENCE { [1] EXPLICIT OCTET STRING }}. */
    private static Bytes nonce(byte[] extension) throws MalformedException {
        Der outer = Der.over(extension);
        Der sequence = outer.enter(Der.SEQUENCE);
        Der field = sequence.enter(Der.explicit(1));
        Bytes nonce = Bytes.copyOf(field.bytes(Der.OCTET_STRING));
        field.finish();
        sequence.finish();
        outer.finish();
        return nonce;
    }
}
