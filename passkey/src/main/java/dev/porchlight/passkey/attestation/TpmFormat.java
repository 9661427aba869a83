// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.InvalidStatementException.require;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Verifies format {@code tpm} (section 8.3): a TPM certifies with an attestation identity key that it holds the credential's
 * key. */
final class TpmFormat {
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String AIK_CERTIFICATE_USAGE = "2.23.133.8.3";
    private static final String MANUFACTURER = "2.23.133.2.1";
    private static final String MODEL = "2.23.133.2.2";
    private static final String VERSION = "2.23.133.2.3";

    /** A {@code GeneralName} that is a {@code directoryName}. */
    private static final int DIRECTORY_NAME = Der.explicit(4);

    private TpmFormat() {}

    static Evidence verify(Statement statement, AttestationSignature signatures)
            throws InvalidStatementException, MalformedException, CertificateException {
        require(!statement.has("ecdaaKeyId"), AttestationReason.ECDAA_UNSUPPORTED);
        var unknown = statement.requireMembers("ver", "alg", "x5c", "sig", "certInfo", "pubArea");
        long alg = statement.number("alg");
        Bytes sig = statement.bytes("sig");
        Bytes certInfo = statement.bytes("certInfo");
        Bytes pubArea = statement.bytes("pubArea");
        List<X509Certificate> x5c = statement.x5c();
        X509Certificate aikCert = x5c.get(0);

        require(statement.text("ver").equals("2.0"), AttestationReason.TPM_VERSION);
        var described = TpmStructures.PublicArea.read(pubArea);
        require(described.describes(statement.key()), AttestationReason.PUBLIC_KEY_MISMATCH);
        var algorithm = AttestationAlgorithm.ofTpm(alg);
        var digest = algorithm.flatMap(AttestationAlgorithm::digest);
        require(digest.isPresent(), AttestationReason.ALGORITHM_UNSUPPORTED);

        var certified = TpmStructures.CertInfo.read(certInfo);
        require(certified.magic() == TpmStructures.CertInfo.GENERATED, AttestationReason.TPM_MAGIC);
        require(certified.type() == TpmStructures.CertInfo.CERTIFY, AttestationReason.TPM_TYPE);
        require(
                certified.extraData().equals(hash(digest.get(), statement.attested())),
                AttestationReason.TPM_EXTRA_DATA);
        require(name(described, pubArea).filter(certified.name()::equals).isPresent(), AttestationReason.TPM_NAME);
        signatures.require(algorithm.get(), aikCert.getPublicKey(), sig, certInfo);
        requireAikCertificate(aikCert, statement.credential().aaguid());

        boolean outdated = algorithm.get().isOutdated() || described.hasOutdatedName();
        return new Evidence(
                Attestation.Type.ATT_CA, x5c, outdated ? Optional.of(AttestationReason.DIGEST_OUTDATED) : unknown);
    }

    /** Returns the name of a key: its name algorithm, then that hash of its public area (TPM 2.0 Part 1, 16). */
    private static Optional<Bytes> name(TpmStructures.PublicArea described, Bytes pubArea) {
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

    /** Section 8.3.1: the certificate of an attestation identity key. */
    private static void requireAikCertificate(X509Certificate certificate, Bytes aaguid)
            throws InvalidStatementException, MalformedException {
        require(certificate.getVersion() == 3, AttestationReason.CERTIFICATE_VERSION);
        require(DirectoryName.subject(certificate).isEmpty(), AttestationReason.CERTIFICATE_SUBJECT);
        require(namesTpm(certificate), AttestationReason.CERTIFICATE_ALTERNATIVE_NAME);
        require(isForAttestation(certificate), AttestationReason.CERTIFICATE_KEY_USAGE);
        require(Certificates.deniesAuthority(certificate), AttestationReason.CERTIFICATE_AUTHORITY);
        require(Certificates.allowsModel(certificate, aaguid), AttestationReason.CERTIFICATE_AAGUID);
    }

    /** Returns whether an alternative name has manufacturer, model and version (EK Credential Profile 3.2.9). */
    private static boolean namesTpm(X509Certificate certificate) throws MalformedException {
        var extension = Certificates.extension(certificate, SUBJECT_ALTERNATIVE_NAME);
        if (extension.isEmpty()) {
            return false;
        }
        Der names = Der.sequence(extension.get());
        while (names.hasNext()) {
            if (names.peek() != DIRECTORY_NAME) {
                names.skip();
                continue;
            }
            Der name = names.enter(DIRECTORY_NAME);
            DirectoryName directory = DirectoryName.read(name);
            name.finish();
            // The manufacturer is the TCG's vendor id in hex; the vendor chooses the other two.
            if (directory.has(MANUFACTURER, "id:[0-9A-Fa-f]{8}") && directory.has(MODEL) && directory.has(VERSION)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isForAttestation(X509Certificate certificate) throws MalformedException {
        var extension = Certificates.extension(certificate, EXTENDED_KEY_USAGE);
        if (extension.isEmpty()) {
            return false;
        }
        Der usages = Der.sequence(extension.get());
        boolean found = false;
        while (usages.hasNext()) {
            found |= usages.oid().equals(AIK_CERTIFICATE_USAGE);
        }
        return found;
    }
}
