// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Section 8.6: what authenticators of the time before WebAuthn sign.
 *
 * <p>Their signature covers no AAGUID. A client fills in zeros, and the verification procedure does not ask for that;
 * the specification's own vector has another value. So one that is not zero does not make the statement unsound, but
 * trusting it would let a client name any model it likes.
 */
final class FidoU2fFormat {
    private static final Bytes RESERVED = Bytes.ofHex("00");
    private static final Bytes NO_AAGUID = Bytes.copyOf(new byte[16]);

    private final AttestationSignature signatures;

    FidoU2fFormat(AttestationSignature signatures) {
        this.signatures = signatures;
    }

    Verdict judge(Statement statement) throws MalformedException, CertificateException {
        var doubt = statement.demand("sig", "x5c");
        Bytes sig = statement.bytes("sig");
        List<X509Certificate> x5c = statement.x5c();
        if (x5c.size() != 1) {
            return Verdict.unsound(AttestationReason.CERTIFICATE_COUNT);
        }
        X509Certificate attCert = x5c.get(0);
        if (Es256Key.of(attCert.getPublicKey()).isEmpty()) {
            return Verdict.unsound(AttestationReason.CERTIFICATE_KEY);
        }
        Bytes verificationData = RESERVED.concat(statement.rpIdHash())
                .concat(statement.clientDataHash())
                .concat(statement.credential().credentialId())
                .concat(statement.key().uncompressedPoint());
        var fault = signatures.fault(CoseKey.ES256, attCert.getPublicKey(), sig, verificationData);
        if (fault.isPresent()) {
            return Verdict.unsound(fault.get());
        }
        return statement.credential().aaguid().equals(NO_AAGUID)
                ? Verdict.sound(AttestationType.BASIC, x5c, doubt)
                : Verdict.doubtful(AttestationType.BASIC, x5c, AttestationReason.AAGUID_NOT_ATTESTED);
    }
}
