// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.InvalidStatementException.require;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.attestation.KeyDescription.AuthorizationList;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Verifies format {@code android-key} (section 8.4): Android's key store certifies and describes the credential's key.
 *
 * <p>The description has two lists, and the specification lets the relying party choose: only the list attested by the trusted
 * execution environment (TEE), or also the one by Android's software. Here both lists must be valid, and the TEE must attest
 * the key before it can be trusted. A description without the key's origin and purpose, as in the specification's first
 * vector, is therefore valid but never trusted. The same holds if the key store or the attestation is software.
 */
final class AndroidKeyFormat {
    private AndroidKeyFormat() {}

    static Evidence verify(Statement statement, AttestationSignature signatures)
            throws InvalidStatementException, MalformedException, CertificateException {
        var doubt = statement.requireMembers("alg", "sig", "x5c");
        long alg = statement.number("alg");
        Bytes sig = statement.bytes("sig");
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate credCert = x5c.get(0);

        signatures.require(alg, credCert.getPublicKey(), sig, statement.attested());
        require(statement.key().matches(credCert.getPublicKey()), AttestationReason.PUBLIC_KEY_MISMATCH);
        var description = KeyDescription.read(Certificates.requireExtension(credCert, KeyDescription.OID));
        require(description.challenge().equals(statement.clientDataHash()), AttestationReason.CHALLENGE_MISMATCH);
        requireSigningKey(description.software());
        requireSigningKey(description.tee());
        return description.inHardware() && description.tee().vouches()
                ? new Evidence(Attestation.Type.BASIC, x5c, doubt)
                : Evidence.doubtful(Attestation.Type.BASIC, x5c, AttestationReason.KEY_NOT_IN_HARDWARE);
    }

    private static void requireSigningKey(AuthorizationList list) throws InvalidStatementException {
        require(!list.allApplications(), AttestationReason.KEY_FOR_ALL_APPLICATIONS);
        require(!list.deniesGenerated(), AttestationReason.KEY_NOT_GENERATED);
        require(!list.deniesSigning(), AttestationReason.KEY_NOT_FOR_SIGNING);
    }
}
