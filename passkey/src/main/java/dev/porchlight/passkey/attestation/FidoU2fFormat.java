// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.InvalidStatementException.require;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.EcKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Verifies format {@code fido-u2f} (section 8.6), for authenticators older than WebAuthn.
 *
 * <p>The signature does not cover the AAGUID. Clients fill in zeros, and the verification procedure does not check that; the
 * specification's own vector has another value. An AAGUID that is not zero is therefore valid, but never trusted, because a
 * client could choose any.
 */
final class FidoU2fFormat {
    private static final Bytes RESERVED = Bytes.ofHex("00");
    private static final Bytes NO_AAGUID = Bytes.copyOf(new byte[16]);

    private FidoU2fFormat() {}

    static Evidence verify(Statement statement, AttestationSignature signatures)
            throws InvalidStatementException, MalformedException, CertificateException {
        var doubt = statement.requireMembers("sig", "x5c");
        Bytes sig = statement.bytes("sig");
        List<X509Certificate> x5c = statement.x5c();
        require(x5c.size() == 1, AttestationReason.CERTIFICATE_COUNT);
        PublicKey attKey = x5c.get(0).getPublicKey();
        require(AttestationAlgorithm.ES256.fits(attKey), AttestationReason.CERTIFICATE_KEY);
        // U2F only has keys on P-256, and signs the point itself.
        require(statement.key().algorithm() == CredentialAlgorithm.ES256, AttestationReason.PUBLIC_KEY_MISMATCH);
        Bytes verificationData = RESERVED.concat(statement.rpIdHash())
                .concat(statement.clientDataHash())
                .concat(statement.credential().credentialId())
                .concat(((EcKey) statement.key()).uncompressedPoint());
        signatures.require(CredentialAlgorithm.ES256.cose(), attKey, sig, verificationData);
        return statement.credential().aaguid().equals(NO_AAGUID)
                ? new Evidence(Attestation.Type.BASIC, x5c, doubt)
                : Evidence.doubtful(Attestation.Type.BASIC, x5c, AttestationReason.AAGUID_NOT_ATTESTED);
    }
}
