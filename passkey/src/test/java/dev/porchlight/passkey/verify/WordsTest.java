// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.UserVerification;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Stable names of steps, options and challenges, and the chaining of verdicts. */
class WordsTest {
    @Test
    void codes_and_labels_are_unique() {
        assertThat(Step.values()).extracting(Step::code).doesNotHaveDuplicates().allMatch(it -> it.matches("[a-z_]+"));
        assertThat(Step.values())
                .extracting(Step::label)
                .doesNotHaveDuplicates()
                .allMatch(it -> it.matches("[a-z ]+"));
    }

    @ParameterizedTest
    @EnumSource
    void a_step_is_not_named_after_its_refusal(Step step) {
        assertThat(step.label())
                .doesNotContain("bad", "mismatch", "malformed", "invalid", "not ", "unknown", "expired", "_");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"AUTHENTICATOR_ALLOWED", "ROW_INTEGRITY", "USER_UNLOCKED"})
    void a_step_has_a_place_in_the_specification(Step step) {
        assertThat(step.registrationSection() + step.authenticationSection()).isNotEmpty();
        assertThat(List.of(step.registrationSection(), step.authenticationSection()))
                .allMatch(section -> section.matches("(steps? \\d.*|Level 3, .*|)"));
    }

    @Test
    void only_policies_seals_and_locks_are_steps_beyond_the_specification() {
        assertThat(Step.values())
                .filteredOn(step -> (step.registrationSection() + step.authenticationSection()).isEmpty())
                .containsExactly(Step.AUTHENTICATOR_ALLOWED, Step.ROW_INTEGRITY, Step.USER_UNLOCKED);
    }

    @ParameterizedTest
    @CsvSource({"REQUIRED, required", "PREFERRED, preferred", "DISCOURAGED, discouraged"})
    void user_verification_uses_the_values_of_the_specification(UserVerification wanted, String word) {
        assertThat(wanted.value()).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({"REGISTRATION, reg_", "CONDITIONAL_REGISTRATION, cnd_", "AUTHENTICATION, get_", "DISCOVERY, any_"})
    void T08_a_challenge_has_its_purpose_and_29_random_bytes(Purpose purpose, String prefix) {
        RandomGenerator ones = new RandomGenerator() {
            @Override
            public void nextBytes(byte[] bytes) {
                Arrays.fill(bytes, (byte) -1);
            }

            @Override
            public long nextLong() {
                throw new AssertionError("bytes were wanted");
            }
        };

        assertThat(purpose.challenge(ones)).isEqualTo(prefix + "_".repeat(38) + "8");
        assertThat(Purpose.of(purpose.challenge(ones))).isEqualTo(purpose);
    }

    @Test
    void verdicts_chain_until_the_first_refusal() {
        Verdict<Integer> accepted = new Verdict.Accepted<>(1);
        Verdict<Integer> refused = Verdict.refused(Step.SIGN_COUNT, "why");

        assertThat(accepted.then(it -> new Verdict.Accepted<>("after " + it)))
                .isEqualTo(new Verdict.Accepted<>("after 1"));
        assertThat(accepted.then(it -> refused)).isEqualTo(refused);
        assertThat(refused.<String>then(it -> {
                    throw new AssertionError("nothing was accepted");
                }))
                .isEqualTo(Verdict.<String>refused(Step.SIGN_COUNT, "why"));
    }

    /** Operators and clients depend on these codes: a change here is a change of the API. */
    @Test
    void refusal_codes_are_stable() {
        String codes = """
                RESPONSE malformed_response
                CLIENT_DATA malformed_client_data
                TYPE type_mismatch
                CHALLENGE_KNOWN challenge_not_found
                CHALLENGE_IN_TIME challenge_expired
                CHALLENGE_PURPOSE wrong_ceremony
                ORIGIN origin_mismatch
                FRAMING cross_origin
                TOP_ORIGIN top_origin
                TOKEN_BINDING token_binding
                ATTESTATION_OBJECT malformed_attestation
                AUTHENTICATOR_DATA malformed_authenticator_data
                CREDENTIAL_ID credential_id_mismatch
                RP_ID_HASH rp_id_hash_mismatch
                USER_PRESENT user_not_present
                USER_VERIFIED user_not_verified
                BACKUP_STATE backup_state_invalid
                ALGORITHM alg_not_allowed
                PUBLIC_KEY bad_public_key
                ATTESTATION_FORMAT attestation_format
                ATTESTATION_STATEMENT attestation_invalid
                ATTESTATION_TRUST attestation_untrusted
                AUTHENTICATOR_ALLOWED authenticator_not_allowed
                CREDENTIAL_NEW credential_exists
                CREDENTIAL_LIMIT too_many_credentials
                CREDENTIAL_KNOWN unknown_credential
                ROW_INTEGRITY integrity
                CREDENTIAL_OWNER credential_owner_mismatch
                USER_HANDLE user_handle_mismatch
                BACKUP_ELIGIBILITY backup_eligibility_changed
                SIGNATURE bad_signature
                SIGN_COUNT sign_count
                USER_UNLOCKED user_locked
                """;
        assertThat(Stream.of(Step.values()).map(step -> step.name() + ' ' + step.code()))
                .containsExactlyElementsOf(codes.lines().toList());
    }
}
