// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.AttestationReason.KEY_FOR_ALL_APPLICATIONS;
import static dev.porchlight.passkey.attestation.AttestationReason.KEY_NOT_FOR_SIGNING;
import static dev.porchlight.passkey.attestation.AttestationReason.KEY_NOT_GENERATED;
import static dev.porchlight.passkey.attestation.AttestationReason.STATEMENT_MALFORMED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.AndroidKeyAttester;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AndroidKeyFormatTest {
    private static final byte[] GENERATED = origin(0);
    private static final byte[] SIGN = purposes(2);
    private static final byte[] NOTHING = Der.sequence();
    private static final byte[] RIGHT = Der.sequence(SIGN, GENERATED);

    static SoftRegistration unchanged() {
        return SoftRegistration.by(new AndroidKeyAttester(Issuer.kit(), description -> {}));
    }

    /** A key attested only by Android's software. */
    static SoftRegistration inSoftware() {
        return lists(RIGHT, NOTHING);
    }

    private static byte[] purposes(int... purposes) {
        return Der.tagged(
                1, Der.set(Arrays.stream(purposes).mapToObj(Der::integer).toArray(byte[][]::new)));
    }

    private static byte[] origin(int origin) {
        return Der.tagged(702, Der.integer(origin));
    }

    private static SoftRegistration described(byte[] description) {
        return SoftRegistration.by(new AndroidKeyAttester(
                Issuer.changed(draft -> draft.extension(KeyDescription.OID, false, description)), unchanged -> {}));
    }

    private static SoftRegistration lists(byte[] software, byte[] tee) {
        return described(Der.sequence(head(), software, tee));
    }

    private static byte[] head() {
        return head(1, 1);
    }

    /** Sets the security levels of the attestation and of the key store: 0 is software, 1 is a TEE. */
    private static byte[] head(int attestation, int keyStore) {
        return Octets.join(
                Der.integer(300),
                Der.enumerated(attestation),
                Der.integer(300),
                Der.enumerated(keyStore),
                Der.octets(Octets.sha256(SoftRegistration.CLIENT_DATA)),
                Der.octets(new byte[0]));
    }

    static List<Violation> violations() {
        byte[] everyone = Der.tagged(600, Der.none());
        return List.of(
                Violation.of(
                        AttestationReason.SIGNATURE_INVALID,
                        "android, a bit flipped",
                        () -> unchanged().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(
                        AttestationReason.ALGORITHM_UNSUPPORTED,
                        "android, another algorithm",
                        () -> unchanged().put("alg", -257)),
                Violation.of(AttestationReason.PUBLIC_KEY_MISMATCH, "android, a certificate of another key", () -> {
                    var other = SoftRegistration.otherKey(KeyAlgorithm.ES256);
                    var registration = SoftRegistration.by(new AndroidKeyAttester(
                            Issuer.changed(draft -> draft.key(other.publicKey())), description -> {}));
                    return registration.put("sig", other.sign(registration.attested()));
                }),
                Violation.of(
                        AttestationReason.CERTIFICATE_EVIDENCE_MISSING,
                        "android, no description",
                        () -> SoftRegistration.by(new AndroidKeyAttester(
                                Issuer.changed(draft -> draft.without(KeyDescription.OID)), description -> {}))),
                Violation.of(
                        AttestationReason.CHALLENGE_MISMATCH,
                        "android, another challenge",
                        () -> SoftRegistration.by(new AndroidKeyAttester(
                                Issuer.kit(), description -> description.challenge = new byte[32]))),
                Violation.of(
                        KEY_FOR_ALL_APPLICATIONS,
                        "android, all applications, in the TEE list",
                        () -> lists(NOTHING, Der.sequence(SIGN, everyone, GENERATED))),
                Violation.of(
                        KEY_FOR_ALL_APPLICATIONS,
                        "android, all applications, in the software list",
                        () -> lists(Der.sequence(everyone), RIGHT)),
                Violation.of(
                        KEY_NOT_GENERATED,
                        "android, imported, in the TEE list",
                        () -> lists(NOTHING, Der.sequence(SIGN, origin(2)))),
                Violation.of(
                        KEY_NOT_GENERATED,
                        "android, imported, in the software list",
                        () -> lists(Der.sequence(origin(2)), RIGHT)),
                Violation.of(
                        KEY_NOT_FOR_SIGNING,
                        "android, for decryption",
                        () -> lists(NOTHING, Der.sequence(purposes(1), GENERATED))),
                Violation.of(
                        KEY_NOT_FOR_SIGNING,
                        "android, for signing and decryption",
                        () -> lists(NOTHING, Der.sequence(purposes(2, 1), GENERATED))),
                Violation.of(
                        KEY_NOT_FOR_SIGNING,
                        "android, for verifying alone",
                        () -> lists(NOTHING, Der.sequence(purposes(3), GENERATED))),
                Violation.of(
                        KEY_NOT_FOR_SIGNING,
                        "android, for decryption, in the software list",
                        () -> lists(Der.sequence(purposes(1)), RIGHT)),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, two origins",
                        () -> lists(NOTHING, Der.sequence(SIGN, GENERATED, GENERATED))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, two values of one origin",
                        () -> lists(
                                NOTHING, Der.sequence(Der.tagged(702, Octets.join(Der.integer(0), Der.integer(0)))))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, two sets of purposes",
                        () -> lists(
                                NOTHING, Der.sequence(Der.tagged(1, Octets.join(Der.set(), Der.set(Der.integer(2))))))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, a field without a unique tag",
                        () -> lists(NOTHING, Der.sequence(Der.integer(2)))),
                Violation.of(
                        STATEMENT_MALFORMED, "android, no TEE list", () -> described(Der.sequence(head(), NOTHING))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, a third list",
                        () -> described(Der.sequence(head(), NOTHING, RIGHT, RIGHT))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, trailing bytes",
                        () -> described(Octets.join(Der.sequence(head(), NOTHING, RIGHT), Der.none()))),
                Violation.of(
                        STATEMENT_MALFORMED,
                        "android, no algorithm",
                        () -> unchanged().remove("alg")));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_violation_is_refused(Violation violation) {
        violation.refuse();
    }

    @Test
    void a_key_attested_by_the_tee_is_trusted() {
        assertThat(accepted(unchanged()).type()).isEqualTo(Attestation.Type.BASIC);
        assertThat(accepted(unchanged()).trusted()).isTrue();
        assertThat(accepted(lists(RIGHT, RIGHT)).trusted()).isTrue();
        assertThat(accepted(lists(NOTHING, Der.sequence(purposes(2, 3), GENERATED)))
                        .trusted())
                .isTrue();
    }

    @Test
    void other_fields_and_any_order_are_accepted() {
        byte[] tee = Der.sequence(GENERATED, Der.tagged(704, Der.sequence(Der.none())), SIGN);
        assertThat(accepted(lists(Der.sequence(Der.tagged(701, Der.integer(99))), tee))
                        .trusted())
                .isTrue();
    }

    @Test
    void a_key_attested_only_by_software_is_valid_but_untrusted() {
        for (byte[] tee : List.of(NOTHING, Der.sequence(SIGN), Der.sequence(GENERATED))) {
            assertThat(accepted(lists(RIGHT, tee)).doubt()).contains(AttestationReason.KEY_NOT_IN_HARDWARE);
            assertThat(accepted(lists(NOTHING, tee)).doubt()).contains(AttestationReason.KEY_NOT_IN_HARDWARE);
        }
    }

    /** Both lists then come from software. */
    @Test
    void the_security_level_software_is_valid_but_untrusted() {
        for (int[] levels : new int[][] {{0, 0}, {0, 1}, {1, 0}}) {
            var registration = described(Der.sequence(head(levels[0], levels[1]), NOTHING, RIGHT));
            assertThat(accepted(registration).doubt()).contains(AttestationReason.KEY_NOT_IN_HARDWARE);
        }
        assertThat(accepted(described(Der.sequence(head(2, 2), NOTHING, RIGHT))).trusted())
                .as("StrongBox")
                .isTrue();
    }

    private static Attestation accepted(SoftRegistration registration) {
        return ((Accepted) registration.verify()).attestation();
    }
}
