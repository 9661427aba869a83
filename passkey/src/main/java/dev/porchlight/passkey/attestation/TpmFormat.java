// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Section 8.3: a TPM certifies, with an attestation identity key, that the credential's key lives inside it. */
final class TpmFormat {
    private final AttestationSignature signatures;

    TpmFormat(AttestationSignature signatures) {
        this.signatures = signatures;
    }

    Verdict judge(Statement statement) throws MalformedException, CertificateException {
        if (statement.has("ecdaaKeyId")) {
            return Verdict.unsound(AttestationReason.ECDAA_UNSUPPORTED);
        }
        var unknown = statement.demand("ver", "alg", "x5c", "sig", "certInfo", "pubArea");
        long alg = statement.number("alg");
        Bytes sig = statement.bytes("sig");
        Bytes certInfo = statement.bytes("certInfo");
        Bytes pubArea = statement.bytes("pubArea");
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate aikCert = x5c.get(0);

        if (!statement.text("ver").equals("2.0")) {
            return Verdict.unsound(AttestationReason.TPM_VERSION);
        }
        TpmPublic described = TpmPublic.read(pubArea);
        if (!described.describes(statement.key())) {
            return Verdict.unsound(AttestationReason.PUBLIC_KEY_MISMATCH);
        }
        var algorithm = AttestationAlgorithm.ofTpm(alg);
        var digest = algorithm.flatMap(AttestationAlgorithm::digest);
        if (algorithm.isEmpty() || digest.isEmpty()) {
            return Verdict.unsound(AttestationReason.ALGORITHM_UNSUPPORTED);
        }
        var fault = fault(TpmAttest.read(certInfo), hash(digest.get(), statement.attested()), name(described, pubArea));
        if (fault.isEmpty()) {
            fault = signatures.fault(algorithm.get(), aikCert.getPublicKey(), sig, certInfo);
        }
        if (fault.isEmpty()) {
            fault = AikCertificate.fault(aikCert, statement.credential().aaguid());
        }
        if (fault.isPresent()) {
            return Verdict.unsound(fault.get());
        }
        boolean outdated = algorithm.get().isOutdated() || described.hasOutdatedName();
        return Verdict.sound(
                AttestationType.ATT_CA, x5c, outdated ? Optional.of(AttestationReason.DIGEST_OUTDATED) : unknown);
    }

    private static Optional<AttestationReason> fault(TpmAttest attest, Bytes extraData, Optional<Bytes> name) {
        if (attest.magic() != TpmAttest.GENERATED) {
            return Optional.of(AttestationReason.TPM_MAGIC);
        }
        if (attest.type() != TpmAttest.CERTIFY) {
            return Optional.of(AttestationReason.TPM_TYPE);
        }
        if (!attest.extraData().equals(extraData)) {
            return Optional.of(AttestationReason.TPM_EXTRA_DATA);
        }
        if (name.isEmpty() || !attest.name().equals(name.get())) {
            return Optional.of(AttestationReason.TPM_NAME);
        }
        return Optional.empty();
    }

    /** A key's name: the number of its name algorithm, then that hash of the key's description (TPM 2.0 Part 1, 16). */
    private static Optional<Bytes> name(TpmPublic described, Bytes pubArea) {
        Bytes algorithm = pubArea.slice(2, 4);
        return described.nameDigest().map(digest -> algorithm.concat(hash(digest, pubArea)));
    }

    private static Bytes hash(String digest, Bytes data) {
        try {
            return Bytes.copyOf(MessageDigest.getInstance(digest).digest(data.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1 and the SHA-2 family", e);
        }
    }
}
