// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Section 8.2: the format made for WebAuthn, signed by an attestation key or by the credential's own. */
final class PackedFormat {
    private final AttestationSignature signatures;

    PackedFormat(AttestationSignature signatures) {
        this.signatures = signatures;
    }

    Verdict judge(Statement statement) throws MalformedException, CertificateException {
        if (statement.has("ecdaaKeyId")) {
            return Verdict.unsound(AttestationReason.ECDAA_UNSUPPORTED);
        }
        return statement.has("x5c") ? attested(statement) : self(statement);
    }

    private Verdict attested(Statement statement) throws MalformedException, CertificateException {
        var doubt = statement.demand("alg", "sig", "x5c");
        long alg = statement.number("alg");
        Bytes sig = statement.bytes("sig");
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate attestnCert = x5c.get(0);

        var fault = signatures.fault(alg, attestnCert.getPublicKey(), sig, statement.attested());
        if (fault.isEmpty()) {
            fault = PackedCertificate.fault(attestnCert, statement.credential().aaguid());
        }
        // Basic or from an attestation CA: the statement alone does not tell.
        return fault.map(Verdict::unsound).orElseGet(() -> Verdict.sound(AttestationType.BASIC, x5c, doubt));
    }

    private Verdict self(Statement statement) throws MalformedException {
        statement.demand("alg", "sig"); // more members change nothing: it is in doubt in any case
        Bytes sig = statement.bytes("sig");
        if (statement.number("alg") != CoseKey.ES256) {
            return Verdict.unsound(AttestationReason.ALGORITHM_MISMATCH);
        }
        if (!signatures.isBy(statement.key(), sig, statement.attested())) {
            return Verdict.unsound(AttestationReason.SIGNATURE_INVALID);
        }
        return Verdict.doubtful(AttestationType.SELF, List.of(), AttestationReason.SELF_ATTESTED);
    }
}
