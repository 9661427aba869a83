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
    static SoftRegistration unchanged() {
        return SoftRegistration.by(new FidoU2fAttester(Issuer.kit()));
    }

    static List<Violation> violations() {
        return List.of(
                Violation.of(
                        AttestationReason.CERTIFICATE_COUNT,
                        "u2f, two certificates",
                        () -> unchanged().append(CertificateAuthority.kit().rootOctets())),
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
                        () -> unchanged().change("sig", sig -> Octets.flip(sig, -1, 0))),
                Violation.of(AttestationReason.SIGNATURE_INVALID, "u2f, signed like packed", () -> {
                    var key = SoftRegistration.otherKey(KeyAlgorithm.ES256);
                    var registration = SoftRegistration.by(
                            new FidoU2fAttester(Issuer.changed(draft -> draft.key(key.publicKey()))));
                    return registration.put("sig", key.sign(registration.attested()));
                }),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "u2f, no signature",
                        () -> unchanged().remove("sig")),
                Violation.of(
                        AttestationReason.STATEMENT_MALFORMED,
                        "u2f, no certificate",
                        () -> unchanged().remove("x5c")));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_violation_is_refused(Violation violation) {
        violation.refuse();
    }

    @Test
    void a_certificate_that_leads_to_an_anchor_is_trusted() {
        var attestation = ((Accepted) unchanged().verify()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.BASIC);
        assertThat(attestation.trusted()).isTrue();
        assertThat(attestation.aaguid().toByteArray()).containsOnly(0).hasSize(16);
    }

    @Test
    void the_signature_covers_the_relying_party_but_not_flags_and_counter() {
        for (int at : new int[] {32, 36}) {
            var changed = unchanged().authData(data -> Octets.flip(data, at, 1));
            assertThat(((Accepted) changed.verify()).attestation().trusted()).isTrue();
        }
        assertThat(unchanged().authData(data -> Octets.flip(data, 0, 1)).verify())
                .isEqualTo(new AttestationResult.Refused(AttestationReason.SIGNATURE_INVALID));
    }

    @Test
    void an_aaguid_in_this_format_is_never_trusted() {
        var named = unchanged().authData(data -> Octets.flip(data, 52, 0));
        assertThat(((Accepted) named.verify()).attestation().doubt()).contains(AttestationReason.AAGUID_NOT_ATTESTED);
        assertThat(named.verify(AttestationPolicy.REQUIRE_TRUSTED, SoftRegistration.ANCHORS, SoftRegistration.AT))
                .isEqualTo(new AttestationResult.Refused(AttestationReason.AAGUID_NOT_ATTESTED));
    }
}
