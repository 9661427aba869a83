// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Section 8.4: Android's key store certifies the credential's key and describes it.
 *
 * <p>The description has two lists, and the specification lets the relying party choose: only what the trusted
 * execution environment vouches for, or that and what Android's software says. Here both lists must be free of anything
 * wrong for the statement to be sound, and the environment itself must vouch for the key before it can be trusted. A
 * description that says nothing of the key's origin and purpose, as in the specification's first vector, is therefore
 * sound and never trusted. Nor is one of a key store, or of an attestation, that is software: then the second list is
 * software's word too.
 */
final class AndroidKeyFormat {
    private final AttestationSignature signatures;

    AndroidKeyFormat(AttestationSignature signatures) {
        this.signatures = signatures;
    }

    Verdict judge(Statement statement) throws MalformedException, CertificateException {
        var doubt = statement.demand("alg", "sig", "x5c");
        long alg = statement.number("alg");
        Bytes sig = statement.bytes("sig");
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate credCert = x5c.get(0);

        var fault = signatures.fault(alg, credCert.getPublicKey(), sig, statement.attested());
        if (fault.isPresent()) {
            return Verdict.unsound(fault.get());
        }
        if (!statement.key().matches(credCert.getPublicKey())) {
            return Verdict.unsound(AttestationReason.PUBLIC_KEY_MISMATCH);
        }
        var extension = Certificates.extension(credCert, KeyDescription.OID);
        if (extension.isEmpty()) {
            return Verdict.unsound(AttestationReason.CERTIFICATE_EVIDENCE_MISSING);
        }
        KeyDescription description = KeyDescription.read(extension.get());
        if (!description.challenge().equals(statement.clientDataHash())) {
            return Verdict.unsound(AttestationReason.CHALLENGE_MISMATCH);
        }
        fault = fault(description.software()).or(() -> fault(description.tee()));
        if (fault.isPresent()) {
            return Verdict.unsound(fault.get());
        }
        return description.inHardware() && description.tee().vouches()
                ? Verdict.sound(AttestationType.BASIC, x5c, doubt)
                : Verdict.doubtful(AttestationType.BASIC, x5c, AttestationReason.KEY_NOT_IN_HARDWARE);
    }

    private static Optional<AttestationReason> fault(AuthorizationList list) {
        if (list.allApplications()) {
            return Optional.of(AttestationReason.KEY_FOR_ALL_APPLICATIONS);
        }
        if (list.deniesGenerated()) {
            return Optional.of(AttestationReason.KEY_NOT_GENERATED);
        }
        if (list.deniesSigning()) {
            return Optional.of(AttestationReason.KEY_NOT_FOR_SIGNING);
        }
        return Optional.empty();
    }
}
