// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.SoftRegistration.ANCHORS;
import static dev.porchlight.passkey.attestation.SoftRegistration.AT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.PackedAttester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.wire.Octets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompoundFormatTest {
    private static final Attester SELF = PackedAttester.self();
    private static final Attester PACKED = new PackedAttester(Issuer.kit());

    @Test
    void one_trusted_statement_is_enough_wherever_it_is() {
        for (SoftRegistration registration : List.of(compound(SELF, PACKED), compound(PACKED, SELF))) {
            var result = (Accepted) registration.verify(AttestationPolicy.REQUIRE_TRUSTED, ANCHORS, AT);
            assertThat(result.attestation().trusted()).isTrue();
            assertThat(result.attestation().type()).isEqualTo(Attestation.Type.BASIC);
            assertThat(result.attestation().format()).isEqualTo(AttestationFormat.COMPOUND);
        }
    }

    @Test
    void without_a_trusted_statement_the_first_doubt_is_recorded() {
        var untrusted = compound(SELF, new PackedAttester(Issuer.impostor()));
        assertThat(((Accepted) untrusted.verify()).attestation().doubt()).contains(AttestationReason.SELF_ATTESTED);
        assertThat(untrusted.verify(AttestationPolicy.REQUIRE_TRUSTED, ANCHORS, AT))
                .isEqualTo(new AttestationResult.Refused(AttestationReason.SELF_ATTESTED));
    }

    @Test
    void an_invalid_statement_is_refused_beside_a_trusted_one() {
        Attester broken = subject -> {
            Statement statement = SELF.attest(subject);
            return statement.put("sig", Octets.flip((byte[]) statement.members().get("sig"), 9, 0));
        };
        Attester unknown = subject -> new Statement("later");
        assertThat(compound(PACKED, broken).verify())
                .isEqualTo(new AttestationResult.Refused(AttestationReason.SIGNATURE_INVALID));
        assertThat(compound(PACKED, unknown).verify())
                .isEqualTo(new AttestationResult.Refused(AttestationReason.FORMAT_UNKNOWN));
    }

    @Test
    void the_certificates_of_a_model_are_read_once() {
        var reads = new AtomicInteger();
        AuthenticatorRules rules = new AuthenticatorRules() {
            @Override
            public TrustAnchors anchors(Bytes aaguid, Optional<X509Certificate> u2f, Instant at) {
                reads.incrementAndGet();
                return ANCHORS;
            }
        };
        var verifier = new AttestationVerifier(AttestationPolicy.REQUIRE_TRUSTED, TrustAnchors.NONE, rules, null);
        Attester impostor = new PackedAttester(Issuer.impostor());

        var registration = compound(impostor, impostor, impostor, PACKED);

        assertThat(SoftRegistration.verify(verifier, registration.attestationObject(), AT))
                .isInstanceOf(Accepted.class);
        assertThat(reads).hasValue(1);
    }

    private static SoftRegistration compound(Attester... parts) {
        return SoftRegistration.by(subject ->
                new Statement(Stream.of(parts).map(part -> part.attest(subject)).toList()));
    }
}
