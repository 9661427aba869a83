// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.UnsoundException.require;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.attestation.KeyDescription.AuthorizationList;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Section 8.4: Android's key store certifies the credential's key and describes it.
 *
 * <p>The description has two lists, and the specification lets the relying party choose: only what the trusted execution
 * environment attests, or also what Android's software says. Here both lists must be free of faults for the statement to
 * be sound, and the environment itself must attest the key before it can be trusted. A description that says nothing about
 * the key's origin and purpose, as in the specification's first vector, is therefore sound and never trusted. The same
 * holds if the key store or the attestation is software: then the second list is the word of software too.
 */
final class AndroidKeyFormat {
    private AndroidKeyFormat() {}

    static Evidence verify(Statement statement, AttestationSignature signatures)
            throws UnsoundException, MalformedException, CertificateException {
        var doubt = statement.demand("alg", "sig", "x5c");
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

    private static void requireSigningKey(AuthorizationList list) throws UnsoundException {
        require(!list.allApplications(), AttestationReason.KEY_FOR_ALL_APPLICATIONS);
        require(!list.deniesGenerated(), AttestationReason.KEY_NOT_GENERATED);
        require(!list.deniesSigning(), AttestationReason.KEY_NOT_FOR_SIGNING);
    }
}
