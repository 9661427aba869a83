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

/** The words that others rely on: of steps, of options, of challenges; and how verdicts follow each other. */
class WordsTest {
    @Test
    void every_step_has_a_code_and_a_label_that_no_other_has() {
        assertThat(Step.values()).extracting(Step::code).doesNotHaveDuplicates().allMatch(it -> it.matches("[a-z_]+"));
        assertThat(Step.values())
                .extracting(Step::label)
                .doesNotHaveDuplicates()
                .allMatch(it -> it.matches("[a-z ]+"));
    }

    @ParameterizedTest
    @EnumSource
    void the_name_of_a_step_does_not_name_its_refusal(Step step) {
        assertThat(step.label())
                .doesNotContain("bad", "mismatch", "malformed", "invalid", "not ", "unknown", "expired", "_");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"ROW_INTEGRITY", "USER_UNLOCKED"})
    void a_step_has_a_place_in_the_specification(Step step) {
        assertThat(step.registrationSection() + step.authenticationSection()).isNotEmpty();
        assertThat(List.of(step.registrationSection(), step.authenticationSection()))
                .allMatch(section -> section.matches("(steps? \\d.*|Level 3, .*|)"));
    }

    @Test
    void seals_and_locks_are_the_only_steps_that_the_specification_does_not_have() {
        assertThat(Step.values())
                .filteredOn(step -> (step.registrationSection() + step.authenticationSection()).isEmpty())
                .containsExactly(Step.ROW_INTEGRITY, Step.USER_UNLOCKED);
    }

    @ParameterizedTest
    @CsvSource({"REQUIRED, required", "PREFERRED, preferred", "DISCOURAGED, discouraged"})
    void user_verification_is_asked_for_in_the_words_of_the_specification(UserVerification wanted, String word) {
        assertThat(wanted.value()).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({"REGISTRATION, reg_", "CONDITIONAL_REGISTRATION, cnd_", "AUTHENTICATION, get_", "DISCOVERY, any_"})
    void T08_a_challenge_is_its_purpose_and_29_bytes_of_the_generators(Purpose purpose, String prefix) {
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
    void judging_goes_on_with_what_was_accepted_and_ends_with_the_first_refusal() {
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
    void each_step_keeps_its_refusal_code() {
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
