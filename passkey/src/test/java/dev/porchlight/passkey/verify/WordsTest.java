// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The words that others rely on: of steps, of options, of challenges; and how verdicts follow each other. */
class WordsTest {
    @ParameterizedTest
    @EnumSource
    void a_step_has_a_code_of_its_own(Step step) {
        assertThat(step.code()).matches("[a-z_]+").isEqualToIgnoringCase(step.name());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "USER_LOCKED")
    void a_step_has_a_place_in_the_specification(Step step) {
        assertThat(step.section()).matches("(7\\.[12] |Level 3, 7\\.[12]).*");
    }

    @Test
    void a_lock_is_the_only_step_that_the_specification_does_not_have() {
        assertThat(Step.USER_LOCKED.section()).startsWith("none: ");
    }

    @ParameterizedTest
    @CsvSource({"REQUIRED, required", "PREFERRED, preferred", "DISCOURAGED, discouraged"})
    void user_verification_is_asked_for_in_the_words_of_the_specification(UserVerification wanted, String word) {
        assertThat(wanted.value()).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({"REGISTRATION, reg_", "CONDITIONAL_REGISTRATION, cnd_", "AUTHENTICATION, get_", "DISCOVERY, any_"})
    void P08_a_challenge_is_its_purpose_and_29_bytes_of_the_generators(Purpose purpose, String prefix) {
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
        Verdict<Integer> refused = new Verdict.Refused<>(Step.SIGN_COUNT, "why");

        assertThat(accepted.then(it -> new Verdict.Accepted<>("after " + it)))
                .isEqualTo(new Verdict.Accepted<>("after 1"));
        assertThat(accepted.then(it -> refused)).isEqualTo(refused);
        assertThat(refused.<String>then(it -> {
                    throw new AssertionError("nothing was accepted");
                }))
                .isEqualTo(new Verdict.Refused<String>(Step.SIGN_COUNT, "why"));
    }
}
