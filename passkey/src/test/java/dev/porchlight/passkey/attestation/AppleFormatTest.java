// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.AppleAttester;
import dev.porchlight.testkit.attestation.CertificateDraft;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AppleFormatTest {
    private static final String NONCE = "1.2.840.113635.100.8.2";

    static SoftRegistration certified(Consumer<CertificateDraft> change) {
        return SoftRegistration.by(new AppleAttester(Issuer.changed(change)));
    }

    private static SoftRegistration nonce(byte[] extension) {
        return certified(draft -> draft.extension(NONCE, false, extension));
    }

    static List<Violation> violations() {
        byte[] field = Der.octets(new byte[32]);
        return List.of(
                Violation.of(
                        AttestationReason.NONCE_MISMATCH,
                        "apple, another nonce",
                        () -> nonce(Der.sequence(Der.tagged(1, field)))),
                Violation.of(
                        AttestationReason.NONCE_MISMATCH,
                        "apple, an empty nonce",
                        () -> nonce(Der.sequence(Der.tagged(1, Der.octets(new byte[0]))))),
                Violation.of(
                        AttestationReason.CERTIFICATE_EVIDENCE_MISSING,
                        "apple, no nonce",
                        () -> certified(draft -> draft.without(NONCE))),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED, "apple, a nonce in no sequence", () -> nonce(field)),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "apple, a nonce under another tag",
                        () -> nonce(Der.sequence(Der.tagged(2, field)))),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "apple, two nonces",
                        () -> nonce(Der.sequence(Der.tagged(1, Octets.join(field, field))))),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "apple, another element next to the nonce",
                        () -> nonce(Der.sequence(Der.tagged(1, field), Der.none()))),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "apple, trailing bytes",
                        () -> nonce(Octets.join(Der.sequence(Der.tagged(1, field)), Der.none()))),
                Violation.of(AttestationReason.PUBLIC_KEY_MISMATCH, "apple, a certificate of another key", () -> {
                    var other = SoftRegistration.otherKey(KeyAlgorithm.ES256);
                    return certified(draft -> draft.key(other.publicKey()));
                }),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "apple, no certificate",
                        () -> certified(d -> {}).remove("x5c")));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_violation_is_refused(Violation violation) {
        violation.refuse();
    }

    @Test
    void a_certificate_that_leads_to_an_anchor_is_trusted() {
        var attestation = ((Accepted) certified(draft -> {}).verify()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.ANON_CA);
        assertThat(attestation.trusted()).isTrue();
    }

    /** As early devices sent it. */
    @Test
    void a_statement_with_an_algorithm_is_valid_but_untrusted() {
        var attestation = ((Accepted) certified(draft -> {}).put("alg", -7).verify()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.ANON_CA);
        assertThat(attestation.doubt()).contains(AttestationReason.MEMBERS_UNKNOWN);
    }
}
