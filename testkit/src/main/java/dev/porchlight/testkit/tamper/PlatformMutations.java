// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.attestation.AndroidKeyAttester;
import dev.porchlight.testkit.attestation.AppleAttester;
import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.CertificateDraft;
import dev.porchlight.testkit.attestation.FidoU2fAttester;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.attestation.TpmAttester;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;

/** Mutations of the platform formats and of fido-u2f. */
final class PlatformMutations extends MutationTable {
    PlatformMutations() {
        in(REGISTRATION, "7.1.19", "T37", Precondition.ATTESTATION_TRUSTED);
        fidoU2f();
        apple();
        android();
        tpm();
        in(REGISTRATION, "7.1.21", "T37", Precondition.ATTESTATION_TRUSTED);
        impostor("u2f", new FidoU2fAttester(Issuer.impostor()));
        impostor("apple", new AppleAttester(Issuer.impostor()));
        impostor("android", new AndroidKeyAttester(Issuer.impostor(), unchanged -> {}));
        impostor("tpm", new TpmAttester(Issuer.impostor(), unchanged -> {}));
    }

    private void fidoU2f() {
        Attester unchanged = new FidoU2fAttester(Issuer.kit());
        flipped("u2f", unchanged);
        attester(
                "u2f-certificate-on-another-curve",
                "has a certificate for P-384",
                new FidoU2fAttester(Issuer.kit(), KeyAlgorithm.ES384));
        statement("u2f-with-two-certificates", "has two certificates", unchanged, PlatformMutations::doubleChain);
        statement("u2f-without-certificate", "has no certificate", unchanged, it -> it.remove("x5c"));
    }

    private void apple() {
        appleCertificate(
                "apple-nonce-of-another-ceremony",
                "has the nonce of another ceremony",
                leaf -> AppleAttester.nonce(leaf, new byte[32]));
        appleCertificate("apple-nonce-absent", "has no nonce", leaf -> leaf.without(AppleAttester.NONCE_EXTENSION));
        appleCertificate(
                "apple-certificate-of-another-key",
                "has a certificate for another key",
                PlatformMutations::certifyAnother);
    }

    private void android() {
        flipped("android", new AndroidKeyAttester(Issuer.kit(), unchanged -> {}));
        androidCertificate(
                "android-certificate-of-another-key",
                "has a certificate for another key",
                PlatformMutations::certifyAnother);
        description(
                "android-challenge-of-another-ceremony",
                "describes a key created for another ceremony",
                it -> it.challenge = new byte[32]);
        description(
                "android-key-for-all-applications",
                "describes a key that any application may use",
                it -> it.forAllApplications = true);
        description("android-key-imported", "describes a key that was imported", it -> it.origin = 2);
        description("android-key-not-for-signing", "describes a key that decrypts", it -> it.purpose = 1);
        androidCertificate(
                "android-description-absent",
                "has a certificate without a description",
                leaf -> leaf.without(AndroidKeyAttester.DESCRIPTION_EXTENSION));
    }

    private void tpm() {
        flipped("tpm", new TpmAttester(Issuer.kit(), unchanged -> {}));
        certification("tpm-version-1", "comes from a TPM of version 1.2", it -> it.version = "1.2");
        certification("tpm-magic-wrong", "was not created inside the TPM", it -> it.magic = 0x46544347);
        certification("tpm-type-of-a-quote", "is a quote and not a certification", it -> it.type = 0x8018);
        certification("tpm-of-another-ceremony", "was created for another ceremony", it -> it.extraData = new byte[32]);
        certification(
                "tpm-names-another-key",
                "certifies the name of another key",
                it -> it.name = Octets.join(Octets.of(0, 0x0b), new byte[32]));
        certification("tpm-public-area-of-another-key", "certifies another key", it -> it.key(otherKey()));
        tpmCertificate(
                "tpm-certificate-with-a-subject",
                "has a certificate with a subject",
                it -> it.subject("CH", "Porchlight testkit", "TPM", "Soft TPM"));
        tpmCertificate(
                "tpm-certificate-without-usage",
                "has a certificate without the required key usage",
                it -> it.without(TpmAttester.EXTENDED_KEY_USAGE));
        tpmCertificate(
                "tpm-certificate-without-a-tpm",
                "does not identify the TPM",
                it -> it.without(TpmAttester.SUBJECT_ALTERNATIVE_NAME));
        tpmCertificate(
                "tpm-certificate-of-an-authority", "has the certificate of an authority", it -> it.authority(true));
        tpmCertificate("tpm-certificate-of-version-1", "has a certificate of version 1", it -> it.version(1));
        tpmCertificate(
                "tpm-certificate-of-another-key",
                "has a certificate for another key",
                PlatformMutations::certifyAnother);
    }

    private void description(String name, String description, Consumer<AndroidKeyAttester.KeyDescription> twist) {
        attester(name, description, new AndroidKeyAttester(Issuer.kit(), twist));
    }

    private void certification(String name, String description, Consumer<TpmAttester.Certification> twist) {
        attester(name, description, new TpmAttester(Issuer.kit(), twist));
    }

    private void appleCertificate(String name, String description, Consumer<CertificateDraft> twist) {
        attester(name, description, new AppleAttester(Issuer.changed(twist)));
    }

    private void androidCertificate(String name, String description, Consumer<CertificateDraft> twist) {
        attester(name, description, new AndroidKeyAttester(Issuer.changed(twist), unchanged -> {}));
    }

    private void tpmCertificate(String name, String description, Consumer<CertificateDraft> twist) {
        attester(name, description, new TpmAttester(Issuer.changed(twist), unchanged -> {}));
    }

    private void impostor(String format, Attester attester) {
        attester(format + "-by-an-impostor", "is certified by an untrusted authority", attester);
    }

    private void flipped(String format, Attester attester) {
        statement(
                format + "-signature-one-bit-off",
                "has one flipped bit in the signature",
                attester,
                MutationTable::flipSignature);
    }

    private static void doubleChain(Statement statement) {
        if (statement.members().get("x5c") instanceof List<?> chain) {
            statement.put("x5c", List.of(chain.get(0), chain.get(0)));
        }
    }

    private static void certifyAnother(CertificateDraft certificate) {
        certificate.key(otherKey().publicKey());
    }

    private static CredentialKey otherKey() {
        return KeyAlgorithm.ES256.generate(new SecureRandom());
    }
}
