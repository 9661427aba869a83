// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.CertificateAuthority;
import dev.porchlight.testkit.attestation.FidoU2fAttester;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FidoU2fFormatTest {
    static SoftRegistration honest() {
        return SoftRegistration.by(new FidoU2fAttester(Issuer.kit()));
    }

    static List<Violation> violations() {
        return List.of(
                Violation.of(
                        AttestationReason.CERTIFICATE_COUNT,
                        "u2f, two certificates",
                        () -> honest().append(CertificateAuthority.kit().rootOctets())),
                Violation.of(
                        AttestationReason.CERTIFICATE_KEY,
                        "u2f, a key on P-384",
                        () -> SoftRegistration.by(new FidoU2fAttester(Issuer.kit(), KeyAlgorithm.ES384))),
                Violation.of(
                        AttestationReason.CERTIFICATE_KEY,
                        "u2f, an RSA key",
                        () -> SoftRegistration.by(new FidoU2fAttester(Issuer.kit(), KeyAlgorithm.RS256))),
                Violation.of(
                        AttestationReason.SIGNATURE_INVALID,
                        "u2f, signature with a bit flipped",
                        () -> honest().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(AttestationReason.SIGNATURE_INVALID, "u2f, signed what packed signs", () -> {
                    var key = SoftRegistration.otherKey(KeyAlgorithm.ES256);
                    var registration = SoftRegistration.by(
                            new FidoU2fAttester(Issuer.twisted(draft -> draft.key(key.publicKey()))));
                    return registration.put("sig", key.sign(registration.attested()));
                }),
                Violation.of(AttestationReason.STATEMENT_MALFORMED, "u2f, no signature", () -> honest().remove("sig")),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED, "u2f, no certificate", () -> honest().remove("x5c")));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void refuses(Violation violation) {
        violation.refuse();
    }

    @Test
    void a_certificate_that_leads_to_an_anchor_is_trusted() {
        var attestation = ((Accepted) honest().judge()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.BASIC);
        assertThat(attestation.trusted()).isTrue();
        assertThat(attestation.aaguid().toByteArray()).containsOnly(0).hasSize(16);
    }

    @Test
    void flags_and_counter_are_not_signed_in_this_format_but_the_relying_party_is() {
        for (int at : new int[] {32, 36}) {
            var changed = honest().authData(data -> Octets.flip(data, at, 1));
            assertThat(((Accepted) changed.judge()).attestation().trusted()).isTrue();
        }
        assertThat(honest().authData(data -> Octets.flip(data, 0, 1)).judge())
                .isEqualTo(new AttestationResult.Refused(AttestationReason.SIGNATURE_INVALID));
    }

    @Test
    void nor_is_the_model_so_one_that_is_named_is_never_trusted() {
        var named = honest().authData(data -> Octets.flip(data, 52, 0));
        assertThat(((Accepted) named.judge()).attestation().doubt()).contains(AttestationReason.AAGUID_NOT_ATTESTED);
        assertThat(named.judge(AttestationPolicy.REQUIRE_TRUSTED, SoftRegistration.ANCHORS, SoftRegistration.AT))
                .isEqualTo(new AttestationResult.Refused(AttestationReason.AAGUID_NOT_ATTESTED));
    }
}
