// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.verify.Step;
import dev.porchlight.server.config.Settings;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CausesTest {
    @ParameterizedTest
    @EnumSource(Step.class)
    void every_refusal_is_told_in_sentences(Step step) {
        Cause cause = Causes.of(step);

        assertThat(cause.code()).isEqualTo(step.code());
        assertThat(cause.what()).matches("[A-Z].*\\.");
        assertThat(cause.advice()).matches("[A-Z].*\\.");
    }

    @ParameterizedTest
    @EnumSource(value = BrowserOutcome.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
    void every_outcome_of_a_browser_is_told_in_sentences(BrowserOutcome outcome) {
        Cause cause = Causes.of(outcome);

        assertThat(cause.code()).isEqualTo(outcome.code());
        assertThat(cause.what()).matches("[A-Z].*\\.");
        assertThat(cause.advice()).matches("[A-Z].*\\.");
        assertThat(BrowserOutcome.of(outcome.code())).isEqualTo(outcome);
    }

    @Test
    void what_went_well_has_no_cause() {
        assertThat(Causes.of(BrowserOutcome.OK)).isNull();
    }

    @Test
    void no_two_refusals_are_told_in_the_same_words() {
        Set<String> words = new HashSet<>();
        for (Step step : Step.values()) {
            assertThat(words.add(Causes.of(step).what())).as(step.code()).isTrue();
        }
    }

    @Test
    void a_setting_that_decides_is_named() {
        assertThat(Causes.of(Step.ORIGIN_MISMATCH).settings()).contains(Settings.RP_ORIGIN);
        assertThat(Causes.of(Step.RP_ID_HASH_MISMATCH).settings()).containsExactly(Settings.RP_ID);
        assertThat(Causes.of(Step.USER_NOT_VERIFIED).settings()).containsExactly(Settings.USER_VERIFICATION);
        assertThat(Causes.of(BrowserOutcome.CONFIG).settings()).contains(Settings.RP_ID, Settings.RP_ORIGIN);
    }
}
