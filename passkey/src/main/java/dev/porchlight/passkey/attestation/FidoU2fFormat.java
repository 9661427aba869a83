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
 * <p>Those have no AAGUID, and a client fills in zeros for it. The verification procedure does not ask for that, and the
 * specification's own vector has another value, so neither do we: nothing in this format attests an AAGUID either way.
 */
final class FidoU2fFormat {
    private static final Bytes RESERVED = Bytes.ofHex("00");

    private final AttestationSignature signatures;

    FidoU2fFormat(AttestationSignature signatures) {
        this.signatures = signatures;
    }

    Verdict judge(Statement statement) throws MalformedException, CertificateException {
        statement.demandExactly("sig", "x5c");
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
        return signatures
                .fault(CoseKey.ES256, attCert.getPublicKey(), sig, verificationData)
                .map(Verdict::unsound)
                .orElseGet(() -> Verdict.sound(AttestationType.BASIC, x5c));
    }
}
