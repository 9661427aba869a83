// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.AttestationReason.ALGORITHM_MISMATCH;
import static dev.porchlight.passkey.attestation.AttestationReason.ALGORITHM_UNSUPPORTED;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AAGUID;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_AUTHORITY;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_MALFORMED;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_SUBJECT;
import static dev.porchlight.passkey.attestation.AttestationReason.CERTIFICATE_VERSION;
import static dev.porchlight.passkey.attestation.AttestationReason.ECDAA_UNSUPPORTED;
import static dev.porchlight.passkey.attestation.AttestationReason.SIGNATURE_INVALID;
import static dev.porchlight.passkey.attestation.AttestationReason.STATEMENT_MALFORMED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.CertificateDraft;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.PackedAttester;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PackedFormatTest {
    private static final int RS1 = -65535;
    private static final String ORGANIZATION = "Example";
    private static final String UNIT = "Authenticator Attestation";

    static SoftRegistration self() {
        return SoftRegistration.by(PackedAttester.self());
    }

    static SoftRegistration attested() {
        return SoftRegistration.by(new PackedAttester(Issuer.kit()));
    }

    private static SoftRegistration certified(Consumer<CertificateDraft> change) {
        return SoftRegistration.by(new PackedAttester(Issuer.changed(change)));
    }

    private static SoftRegistration subject(String country, String organisation, String unit, String commonName) {
        return certified(draft -> draft.subject(country, organisation, unit, commonName));
    }

    private static SoftRegistration aaguid(boolean critical, byte[] value) {
        return certified(draft -> draft.extension(Certificates.AAGUID, critical, value));
    }

    /** Signs with an attestation key of this algorithm. */
    private static SoftRegistration signedBy(CredentialKey key) {
        var registration = certified(draft -> draft.key(key.publicKey()));
        return registration.put("alg", key.algorithm().cose()).put("sig", key.sign(registration.attested()));
    }

    static List<Violation> violations() {
        byte[] own = Der.octets(SoftRegistration.AAGUID);
        return List.of(
                // Self attestation
                Violation.of(ALGORITHM_MISMATCH, "T37: self, another algorithm", () -> self().put("alg", -257)),
                Violation.of(
                        SIGNATURE_INVALID,
                        "self, a flipped bit",
                        () -> self().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(SIGNATURE_INVALID, "self, signature by another key", () -> {
                    var registration = self();
                    byte[] other = SoftRegistration.otherKey(KeyAlgorithm.ES256).sign(registration.attested());
                    return registration.put("sig", other);
                }),
                Violation.of(SIGNATURE_INVALID, "self, empty signature", () -> self().put("sig", new byte[0])),
                Violation.of(
                        SIGNATURE_INVALID,
                        "self, bytes after the signature",
                        () -> self().change("sig", sig -> Octets.join(sig, Octets.of(0)))),
                Violation.of(STATEMENT_MALFORMED, "self, no signature", () -> self().remove("sig")),
                Violation.of(STATEMENT_MALFORMED, "self, no algorithm", () -> self().remove("alg")),
                Violation.of(STATEMENT_MALFORMED, "self, an algorithm as text", () -> self().put("alg", "ES256")),
                Violation.of(STATEMENT_MALFORMED, "self, a signature as text", () -> self().put("sig", "signature")),
                Violation.of(ECDAA_UNSUPPORTED, "ECDAA", () -> self().put("ecdaaKeyId", new byte[32])),

                // The statement
                Violation.of(
                        SIGNATURE_INVALID,
                        "signature with a bit flipped",
                        () -> attested().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(SIGNATURE_INVALID, "signed by the credential's key", () -> {
                    var registration = attested();
                    return registration.put("sig", registration.key.sign(registration.attested()));
                }),
                Violation.of(
                        ALGORITHM_UNSUPPORTED,
                        "an algorithm for another curve",
                        () -> attested().put("alg", -35)),
                Violation.of(
                        ALGORITHM_UNSUPPORTED,
                        "an algorithm for another kind of key",
                        () -> attested().put("alg", -257)),
                Violation.of(ALGORITHM_UNSUPPORTED, "SHA-1", () -> attested().put("alg", RS1)),
                Violation.of(
                        ALGORITHM_UNSUPPORTED,
                        "an unknown algorithm",
                        () -> attested().put("alg", -1)),
                Violation.of(ALGORITHM_UNSUPPORTED, "an RSA key of 1024 bits", PackedFormatTest::signedByShortRsa),
                Violation.of(ALGORITHM_UNSUPPORTED, "an RSA key of 4104 bits", () -> costly(4104, 17)),
                Violation.of(ALGORITHM_UNSUPPORTED, "an RSA exponent of 33 bits", () -> costly(2048, 33)),
                Violation.of(ALGORITHM_UNSUPPORTED, "an RSA exponent of 3071 bits", () -> costly(3072, 3071)),
                Violation.of(
                        STATEMENT_MALFORMED, "no certificates", () -> attested().put("x5c", List.of())),
                Violation.of(STATEMENT_MALFORMED, "one certificate not in an array", () -> {
                    var registration = attested();
                    return registration.put("x5c", registration.x5c().get(0));
                }),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "a certificate as text",
                        () -> attested().put("x5c", List.of("MII"))),

                // Malformed certificates
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "an empty certificate",
                        () -> attested().certificate(0, der -> new byte[0])),
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "a truncated certificate",
                        () -> attested().certificate(0, der -> Octets.head(der, der.length - 1))),
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "a byte after a certificate",
                        () -> attested().certificate(0, der -> Octets.join(der, Octets.of(0)))),
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "a certificate in PEM",
                        () -> attested().certificate(0, PackedFormatTest::pem)),
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "garbage further up the chain",
                        () -> attested().certificate(1, der -> Octets.of(1, 2, 3))),
                Violation.of(
                        CERTIFICATE_MALFORMED,
                        "a certificate of nine kilobytes",
                        () -> certified(draft -> draft.extension("1.2.3.4", false, Der.octets(new byte[9000])))),
                Violation.of(CERTIFICATE_MALFORMED, "nine certificates", () -> {
                    var registration = attested();
                    return registration.put(
                            "x5c", Collections.nCopies(9, registration.x5c().get(0)));
                }),

                // Section 8.2.1
                Violation.of(CERTIFICATE_VERSION, "a certificate of version 1", () -> certified(d -> d.version(1))),
                Violation.of(
                        CERTIFICATE_SUBJECT, "another unit", () -> subject("AA", ORGANIZATION, "Authenticator", "x")),
                Violation.of(
                        CERTIFICATE_SUBJECT,
                        "the unit in another case",
                        () -> subject("AA", ORGANIZATION, "authenticator attestation", "x")),
                Violation.of(
                        CERTIFICATE_SUBJECT, "a country by name", () -> subject("Aaland", ORGANIZATION, UNIT, "x")),
                Violation.of(
                        CERTIFICATE_SUBJECT, "a country in lower case", () -> subject("aa", ORGANIZATION, UNIT, "x")),
                Violation.of(CERTIFICATE_SUBJECT, "no organization", () -> subject("AA", "", UNIT, "x")),
                Violation.of(CERTIFICATE_SUBJECT, "no common name", () -> subject("AA", ORGANIZATION, UNIT, " ")),
                Violation.of(
                        CERTIFICATE_AUTHORITY, "an authority's certificate", () -> certified(d -> d.authority(true))),
                Violation.of(
                        CERTIFICATE_AUTHORITY,
                        "no basic constraints",
                        () -> certified(draft -> draft.without("2.5.29.19"))),
                Violation.of(
                        CERTIFICATE_AAGUID, "another model", () -> aaguid(false, Der.octets(Octets.filled(16, 0xa6)))),
                Violation.of(
                        CERTIFICATE_AAGUID,
                        "a truncated AAGUID",
                        () -> aaguid(false, Der.octets(Octets.filled(15, 0xa5)))),
                Violation.of(CERTIFICATE_AAGUID, "a critical AAGUID", () -> aaguid(true, own)),
                Violation.of(
                        STATEMENT_MALFORMED, "a model wrapped once only", () -> aaguid(false, SoftRegistration.AAGUID)),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "an AAGUID with trailing bytes",
                        () -> aaguid(false, Octets.join(own, Octets.of(0)))));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_violation_is_refused(Violation violation) {
        violation.refuse();
    }

    @Test
    void self_attestation_is_accepted_and_never_trusted() {
        var attestation = ((Accepted) self().verify()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.SELF);
        assertThat(attestation.doubt()).contains(AttestationReason.SELF_ATTESTED);
    }

    @Test
    void a_certificate_that_leads_to_an_anchor_is_trusted() {
        var attestation = ((Accepted) attested().verify()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.BASIC);
        assertThat(attestation.trusted()).isTrue();
        assertThat(attestation.aaguid().toByteArray()).isEqualTo(SoftRegistration.AAGUID);
    }

    @Test
    void the_aaguid_extension_is_optional() {
        var result = certified(draft -> draft.without(Certificates.AAGUID)).verify();
        assertThat(((Accepted) result).attestation().trusted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"ES256", "ES384", "ES512", "EDDSA", "RS256", "ESP256", "ESP384", "ESP512", "ED25519"})
    void attestation_keys_may_use_other_algorithms_than_the_credential(KeyAlgorithm algorithm) {
        var key = SoftRegistration.otherKey(algorithm);
        assertThat(((Accepted) signedBy(key).verify()).attestation().trusted()).isTrue();
        assertThat(signedBy(key).change("sig", sig -> Octets.flip(sig, -1, 0)).verify())
                .isEqualTo(new AttestationResult.Refused(SIGNATURE_INVALID));
    }

    private static SoftRegistration signedByShortRsa() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(1024);
            var pair = generator.generateKeyPair();
            var registration = certified(draft -> draft.key(pair.getPublic()));
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(pair.getPrivate());
            signature.update(registration.attested());
            return registration.put("alg", -257).put("sig", signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A key whose signatures are expensive to verify. Refused before verification. */
    private static SoftRegistration costly(int modulusBits, int exponentBits) {
        var modulus = BigInteger.ONE.shiftLeft(modulusBits - 1).setBit(0);
        var exponent = BigInteger.ONE.shiftLeft(exponentBits).subtract(BigInteger.ONE);
        try {
            var key = KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, exponent));
            return certified(draft -> draft.key(key)).put("alg", -257).put("sig", new byte[modulusBits / 8]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] pem(byte[] der) {
        return Octets.utf8("-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(der)
                + "\n-----END CERTIFICATE-----\n");
    }
}
