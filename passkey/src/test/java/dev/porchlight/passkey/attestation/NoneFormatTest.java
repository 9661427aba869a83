// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.Attester;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NoneFormatTest {
    static List<Violation> violations() {
        return List.of(
                Violation.of(
                        AttestationReason.STATEMENT_NOT_EMPTY,
                        "T37: none with a statement",
                        () -> SoftRegistration.by(Attester.NONE).put("sig", new byte[0])),
                Violation.of(
                        AttestationReason.FORMAT_UNKNOWN,
                        "an unknown format",
                        () -> SoftRegistration.by(Attester.NONE).format("unheard-of")),
                Violation.of(
                        AttestationReason.FORMAT_UNKNOWN,
                        "a known format in another case",
                        () -> SoftRegistration.by(Attester.NONE).format("None")),
                Violation.of(
                        AttestationReason.FORMAT_UNKNOWN,
                        "an empty format",
                        () -> SoftRegistration.by(Attester.NONE).format("")),
                Violation.of(
                        AttestationReason.FORMAT_RETIRED,
                        "the retired format",
                        () -> SoftRegistration.by(Attester.NONE).format("android-safetynet")));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_violation_is_refused(Violation violation) {
        violation.refuse();
    }

    @Test
    void an_empty_statement_is_accepted_as_unattested() {
        var attestation = ((Accepted) SoftRegistration.by(Attester.NONE).verify()).attestation();
        assertThat(attestation.type()).isEqualTo(Attestation.Type.NONE);
        assertThat(attestation.doubt()).contains(AttestationReason.NOT_ATTESTED);
    }
}
