// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.AttestationReason.ALGORITHM_UNSUPPORTED;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AAGUID;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_ALTERNATIVE_NAME;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AUTHORITY;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_KEY_USAGE;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_MALFORMED;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_SUBJECT;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_VERSION;
import static dev.porchlight.passkey.attestation.AttestationReason.ECDAA_UNSUPPORTED;
import static dev.porchlight.passkey.attestation.AttestationReason.PUBLIC_KEY_MISMATCH;
import static dev.porchlight.passkey.attestation.AttestationReason.SIGNATURE_INVALID;
import static dev.porchlight.passkey.attestation.AttestationReason.STATEMENT_MALFORMED;
import static dev.porchlight.passkey.attestation.AttestationReason.TPM_EXTRA_DATA;
import static dev.porchlight.passkey.attestation.AttestationReason.TPM_MAGIC;
import static dev.porchlight.passkey.attestation.AttestationReason.TPM_NAME;
import static dev.porchlight.passkey.attestation.AttestationReason.TPM_TYPE;
import static dev.porchlight.passkey.attestation.AttestationReason.TPM_VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.CertificateDraft;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.TpmAttester;
import dev.porchlight.testkit.attestation.TpmAttester.Certification;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TpmFormatTest {
    private static final String SAN = TpmAttester.SUBJECT_ALTERNATIVE_NAME;
    private static final String EKU = TpmAttester.EXTENDED_KEY_USAGE;

    /** Offsets in the structures of the testkit. */
    private static final int NAME_ALGORITHM = 2;

    private static final int CLOCK = 4 + 2 + 36 + 34;
    private static final int CURVE = 14;
    private static final int RS1 = -65535;
    private static final int POINT = 18;

    static SoftRegistration unchanged() {
        return attested(certification -> {});
    }

    private static SoftRegistration attested(Consumer<Certification> change) {
        return SoftRegistration.by(new TpmAttester(Issuer.kit(), change));
    }

    private static SoftRegistration certified(Consumer<CertificateDraft> change) {
        return SoftRegistration.by(new TpmAttester(Issuer.changed(change), certification -> {}));
    }

    private static SoftRegistration alternativeName(byte[]... names) {
        return certified(draft -> draft.extension(SAN, true, Der.sequence(names)));
    }

    /**
     * A directory name with a single relative name, as in the specification's vector.
     */
    private static byte[] directory(String manufacturer, String model, String version) {
        return Der.tagged(
                4,
                Der.sequence(Der.set(
                        Der.sequence(Der.oid("2.23.133.2.1"), Der.utf8(manufacturer)),
                        Der.sequence(Der.oid("2.23.133.2.2"), Der.utf8(model)),
                        Der.sequence(Der.oid("2.23.133.2.3"), Der.utf8(version)))));
    }

    /** A valid statement with another attestation key and a changed public area. */
    private static SoftRegistration described(
            KeyAlgorithm algorithm, UnaryOperator<byte[]> pubArea, String nameDigest, String dataDigest) {
        var aik = SoftRegistration.otherKey(algorithm);
        var registration = certified(draft -> draft.key(aik.publicKey()));
        byte[] area = pubArea.apply(registration.bytes("pubArea"));
        byte[] name = Octets.join(Arrays.copyOfRange(area, 2, 4), hash(nameDigest, area));
        byte[] certInfo = Octets.join(
                Octets.of(0xff, 0x54, 0x43, 0x47, 0x80, 0x17),
                sized(name),
                sized(hash(dataDigest, registration.attested())),
                new byte[25],
                sized(name),
                sized(name));
        return registration
                .put("alg", algorithm.cose())
                .put("pubArea", area)
                .put("certInfo", certInfo)
                .put("sig", aik.sign(certInfo));
    }

    private static SoftRegistration described(UnaryOperator<byte[]> pubArea) {
        return described(KeyAlgorithm.ES256, pubArea, "SHA-256", "SHA-256");
    }

    /** As on Windows: RSA with SHA-1, and SHA-1 of the attested data. */
    static SoftRegistration withSha1() {
        var registration = described(KeyAlgorithm.RS256, area -> area, "SHA-256", "SHA-1");
        byte[] signature =
                SoftRegistration.otherKey(KeyAlgorithm.RS256).sign(registration.bytes("certInfo"), "SHA1withRSA");
        return registration.put("alg", RS1).put("sig", signature);
    }

    static List<Violation> violations() {
        return List.of(
                Violation.of(TPM_VERSION, "tpm 1.2", () -> attested(c -> c.version = "1.2")),
                Violation.of(TPM_MAGIC, "tpm, not created inside", () -> attested(c -> c.magic = 0x544347)),
                Violation.of(TPM_TYPE, "tpm, a quote", () -> attested(c -> c.type = 0x8018)),
                Violation.of(TPM_EXTRA_DATA, "tpm, another ceremony", () -> attested(c -> c.extraData = new byte[32])),
                Violation.of(TPM_EXTRA_DATA, "tpm, no ceremony", () -> attested(c -> c.extraData = new byte[0])),
                Violation.of(TPM_NAME, "tpm, another key's name", () -> attested(c -> c.name = new byte[34])),
                Violation.of(
                        TPM_NAME,
                        "tpm, a name with another hash than in the area",
                        () -> described(KeyAlgorithm.ES256, area -> nameAlgorithm(area, 0x000c), "SHA-256", "SHA-256")),
                Violation.of(
                        PUBLIC_KEY_MISMATCH,
                        "tpm, another key",
                        () -> attested(c -> c.key(SoftRegistration.otherKey(KeyAlgorithm.ES256)))),
                Violation.of(
                        PUBLIC_KEY_MISMATCH,
                        "tpm, another x",
                        () -> described(area -> Octets.flip(area, POINT + 2, 0))),
                Violation.of(PUBLIC_KEY_MISMATCH, "tpm, another y", () -> described(area -> Octets.flip(area, -1, 0))),
                Violation.of(
                        PUBLIC_KEY_MISMATCH,
                        "tpm, another curve",
                        () -> described(area -> Octets.flip(area, CURVE + 1, 0))),
                Violation.of(
                        PUBLIC_KEY_MISMATCH,
                        "tpm, an RSA key",
                        () -> attested(c -> c.modulus = Octets.filled(256, 0xc5))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, a point as an RSA key",
                        () -> described(area -> Octets.join(Octets.of(0, 1), Octets.tail(area, 2)))),
                Violation.of(
                        SIGNATURE_INVALID,
                        "tpm, a bit flipped",
                        () -> unchanged().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(
                        SIGNATURE_INVALID,
                        "tpm, another clock than signed",
                        () -> unchanged().change("certInfo", info -> Octets.flip(info, CLOCK, 0))),
                Violation.of(
                        ALGORITHM_UNSUPPORTED,
                        "tpm, SHA-1 with another key than RSA",
                        () -> described(KeyAlgorithm.ES256, area -> area, "SHA-256", "SHA-1")
                                .put("alg", RS1)),
                Violation.of(
                        SIGNATURE_INVALID,
                        "tpm, SHA-1 with a bit flipped",
                        () -> withSha1().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(
                        TPM_EXTRA_DATA,
                        "tpm, SHA-1 of another ceremony",
                        () -> described(KeyAlgorithm.RS256, area -> area, "SHA-256", "SHA-256")
                                .put("alg", RS1)),
                Violation.of(
                        ALGORITHM_UNSUPPORTED,
                        "tpm, an algorithm without a separate digest",
                        () -> described(KeyAlgorithm.EDDSA, area -> area, "SHA-256", "SHA-512")),
                Violation.of(
                        ALGORITHM_UNSUPPORTED,
                        "tpm, an algorithm of another kind of key",
                        () -> unchanged().put("alg", -257)),
                Violation.of(
                        ECDAA_UNSUPPORTED,
                        "tpm, ECDAA",
                        () -> unchanged().remove("x5c").put("ecdaaKeyId", new byte[32])),

                // Structures and members
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, no version",
                        () -> unchanged().remove("ver")),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, a version in numbers",
                        () -> unchanged().put("ver", 2)),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, truncated certInfo",
                        () -> unchanged().change("certInfo", info -> Octets.head(info, info.length - 1))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, a byte after certInfo",
                        () -> unchanged().change("certInfo", info -> Octets.join(info, Octets.of(0)))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, an empty certInfo",
                        () -> unchanged().put("certInfo", new byte[0])),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, truncated pubArea",
                        () -> unchanged().change("pubArea", area -> Octets.head(area, area.length - 1))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, a byte after pubArea",
                        () -> unchanged().change("pubArea", area -> Octets.join(area, Octets.of(0)))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "tpm, an empty pubArea",
                        () -> unchanged().put("pubArea", new byte[0])),

                // Section 8.3.1
                Violation.of(
                        CERTIFICATE_VERSION,
                        "tpm, a certificate of version 1",
                        () -> certified(draft -> draft.version(1).subject("AA", "Example", "TPM", "AIK"))),
                Violation.of(
                        CERTIFICATE_SUBJECT,
                        "tpm, a subject",
                        () -> certified(draft -> draft.subject("AA", "Example", "TPM", "AIK"))),
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "tpm, neither subject nor alternative name",
                        () -> certified(draft -> draft.without(SAN))),
                Violation.of(
                        CERTIFICATE_ALTERNATIVE_NAME,
                        "tpm, a host's name",
                        () -> alternativeName(Der.element(0x82, Octets.utf8("tpm.example")))),
                Violation.of(
                        CERTIFICATE_ALTERNATIVE_NAME,
                        "tpm, a manufacturer by name",
                        () -> alternativeName(directory("Example", "M", "1"))),
                Violation.of(
                        CERTIFICATE_ALTERNATIVE_NAME,
                        "tpm, no model",
                        () -> alternativeName(directory("id:49465800", "", "1"))),
                Violation.of(
                        CERTIFICATE_ALTERNATIVE_NAME,
                        "tpm, no TPM version",
                        () -> alternativeName(directory("id:49465800", "M", ""))),
                Violation.of(
                        CERTIFICATE_KEY_USAGE,
                        "tpm, no extended key usage",
                        () -> certified(draft -> draft.without(EKU))),
                Violation.of(
                        CERTIFICATE_KEY_USAGE,
                        "tpm, another extended key usage",
                        () -> certified(
                                draft -> draft.extension(EKU, false, Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"))))),
                Violation.of(
                        CERTIFICATE_AUTHORITY,
                        "tpm, an authority's certificate",
                        () -> certified(draft -> draft.authority(true))),
                Violation.of(
                        CERTIFICATE_AUTHORITY,
                        "tpm, no basic constraints",
                        () -> certified(draft -> draft.without("2.5.29.19"))),
                Violation.of(
                        CERTIFICATE_AAGUID,
                        "tpm, a certificate for another model",
                        () -> certified(
                                draft -> draft.extension(Certificates.AAGUID, false, Der.octets(new byte[16])))));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_violation_is_refused(Violation violation) {
        violation.refuse();
    }

    @Test
    void a_certificate_that_leads_to_an_anchor_is_trusted() {
        assertThat(accepted(unchanged()).type()).isEqualTo(Attestation.Type.ATT_CA);
        assertThat(accepted(unchanged()).trusted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"ES256, SHA-256", "ES384, SHA-384", "RS256, SHA-256"})
    void extra_data_is_hashed_with_the_hash_of_the_algorithm(KeyAlgorithm algorithm, String digest) {
        assertThat(accepted(described(algorithm, area -> area, "SHA-256", digest))
                        .trusted())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"ES256", "ES384", "ES512", "RS256", "PS256"})
    void the_credential_may_have_any_key_of_a_tpm(KeyAlgorithm algorithm) {
        var registration = SoftRegistration.by(new TpmAttester(Issuer.kit(), certification -> {}), algorithm);
        assertThat(accepted(registration).trusted()).isTrue();
    }

    @Test
    void a_sha_1_signature_is_valid_but_untrusted() {
        assertThat(accepted(withSha1()).type()).isEqualTo(Attestation.Type.ATT_CA);
        assertThat(accepted(withSha1()).doubt()).contains(AttestationReason.DIGEST_OUTDATED);
    }

    @Test
    void a_sha_1_name_is_valid_but_untrusted() {
        var registration = described(KeyAlgorithm.ES256, area -> nameAlgorithm(area, 0x0004), "SHA-1", "SHA-256");
        assertThat(accepted(registration).doubt()).contains(AttestationReason.DIGEST_OUTDATED);
    }

    @ParameterizedTest
    @CsvSource({"0x000b, SHA-256", "0x000c, SHA-384", "0x000d, SHA-512"})
    void the_name_is_hashed_with_the_name_algorithm(String number, String digest) {
        var registration =
                described(KeyAlgorithm.ES256, area -> nameAlgorithm(area, Integer.decode(number)), digest, "SHA-256");
        assertThat(accepted(registration).trusted()).isTrue();
    }

    @Test
    void a_scheme_a_kdf_and_a_symmetric_cipher_are_accepted() {
        UnaryOperator<byte[]> area = plain -> Octets.join(
                Octets.head(plain, 10),
                Octets.of(0, 6, 0, 128, 0, 0x43), // AES, 128 bits, CFB
                Octets.of(0, 0x18, 0, 0xb), // ECDSA, SHA-256
                Octets.of(0, 3), // P-256
                Octets.of(0, 0x20, 0, 0xb), // KDF1, SHA-256
                Octets.tail(plain, POINT));
        assertThat(accepted(described(area)).trusted()).isTrue();
    }

    @Test
    void leading_zeros_of_a_coordinate_are_ignored() {
        UnaryOperator<byte[]> area = plain -> Octets.join(
                Octets.head(plain, POINT),
                sized(Octets.join(new byte[2], Arrays.copyOfRange(plain, POINT + 2, POINT + 34))),
                Octets.tail(plain, POINT + 34));
        assertThat(accepted(described(area)).trusted()).isTrue();
    }

    @Test
    void the_tpm_name_may_be_among_other_names_and_in_one_relative_name() {
        var registration = alternativeName(
                Der.element(0x82, Octets.utf8("tpm.example")),
                directory("Example", "M", "1"),
                directory("id:4e544300", "M", "id:13"));
        assertThat(accepted(registration).trusted()).isTrue();
    }

    @Test
    void the_certificate_may_have_an_aaguid_and_other_key_usages() {
        byte[] usages = Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"), Der.oid("2.23.133.8.3"));
        var registration = certified(draft -> draft.extension(EKU, false, usages)
                .extension(Certificates.AAGUID, false, Der.octets(SoftRegistration.AAGUID)));
        assertThat(accepted(registration).trusted()).isTrue();
    }

    private static byte[] nameAlgorithm(byte[] area, int number) {
        return Octets.join(
                Octets.head(area, NAME_ALGORITHM), Octets.bigEndian(number, 2), Octets.tail(area, NAME_ALGORITHM + 2));
    }

    private static byte[] sized(byte[] content) {
        return Octets.join(Octets.bigEndian(content.length, 2), content);
    }

    private static byte[] hash(String digest, byte[] data) {
        try {
            return MessageDigest.getInstance(digest).digest(data);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Attestation accepted(SoftRegistration registration) {
        return ((Accepted) registration.verify()).attestation();
    }
}
