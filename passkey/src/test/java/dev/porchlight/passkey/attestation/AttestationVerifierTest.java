// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static dev.porchlight.passkey.attestation.SoftRegistration.ANCHORS;
import static dev.porchlight.passkey.attestation.SoftRegistration.AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.Provider;
import java.security.Security;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttestationVerifierTest {
    private static final List<SoftRegistration> TRUSTED =
            unchanged().map(Supplier::get).toList();

    static Stream<Supplier<SoftRegistration>> unchanged() {
        return Stream.of(
                PackedFormatTest::attested,
                FidoU2fFormatTest::unchanged,
                () -> AppleFormatTest.certified(draft -> {}),
                AndroidKeyFormatTest::unchanged,
                TpmFormatTest::unchanged);
    }

    static Stream<Violation> violations() {
        return Stream.of(
                        NoneFormatTest.violations(),
                        PackedFormatTest.violations(),
                        FidoU2fFormatTest.violations(),
                        AppleFormatTest.violations(),
                        AndroidKeyFormatTest.violations(),
                        TpmFormatTest.violations())
                .flatMap(List::stream);
    }

    @Test
    void every_refusal_reason_has_a_test_case() {
        Set<AttestationReason> covered = violations().map(Violation::reason).collect(Collectors.toSet());
        Set<AttestationReason> expected = EnumSet.allOf(AttestationReason.class);
        expected.removeIf(reason -> reason.stage() == AttestationReason.Stage.TRUST); // see TrustTest
        expected.remove(AttestationReason.AUTHENTICATOR_NOT_ALLOWED); // see AuthenticatorPolicyTest
        assertThat(covered).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void violations_have_unique_names() {
        assertThat(violations().map(Violation::name)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(AttestationReason.class)
    void a_reason_code_is_a_valid_label(AttestationReason reason) {
        assertThat(reason.code()).matches("[a-z][a-z0-9_]*").isEqualToIgnoringCase(reason.name());
    }

    @Test
    void the_detail_has_the_malformed_part() {
        assertThat(PackedFormatTest.self().put("alg", "ES256").verify())
                .isEqualTo(new AttestationResult.Refused(
                        AttestationReason.STATEMENT_MALFORMED, "statement_malformed: attStmt.alg: not a number"));
    }

    /**
     * Every bit of a statement is protected by a signature, a hash or the syntax.
     */
    @Property(tries = 300)
    void no_bit_of_a_trusted_statement_can_be_flipped(@ForAll("flips") Flip flip) {
        byte[] flipped = TRUSTED.get(flip.registration)
                .attestationObject(
                        statement -> Octets.flip(statement, Math.floorMod(flip.at, statement.length), flip.bit));
        boolean trusted;
        try {
            AttestationObject.parse(Bytes.copyOf(flipped));
            var verifier = new AttestationVerifier(AttestationPolicy.REQUIRE_TRUSTED, ANCHORS, null);
            trusted = SoftRegistration.verify(verifier, flipped, AT) instanceof Accepted;
        } catch (MalformedException e) {
            trusted = false; // refused before verification
        }
        assertThat(trusted).isFalse();
    }

    record Flip(int registration, int at, int bit) {}

    @Provide
    Arbitrary<Flip> flips() {
        return Arbitraries.integers()
                .between(0, TRUSTED.size() - 1)
                .flatMap(which -> Arbitraries.integers()
                        .flatMap(at -> Arbitraries.integers().between(0, 7).map(bit -> new Flip(which, at, bit))));
    }

    @Test
    void the_given_provider_is_used_if_it_supports_the_algorithm() {
        Provider ec = Security.getProvider("SunEC");
        var verifier = new AttestationVerifier(AttestationPolicy.REQUIRE_TRUSTED, ANCHORS, ec);
        for (SoftRegistration registration : TRUSTED) {
            assertThat(SoftRegistration.verify(verifier, registration.attestationObject(), AT))
                    .isInstanceOf(Accepted.class);
        }
    }

    @Test
    void a_provider_that_cannot_verify_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AttestationVerifier(
                        AttestationPolicy.REQUIRE_TRUSTED, ANCHORS, Security.getProvider("SunJCE")));
    }
}
