// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdsTest {
    @ParameterizedTest
    @CsvSource({
        "trace, TRACE",
        "DEBUG, DEBUG",
        "' info ', INFO",
        "warn, WARN",
        "Warning, WARN",
        "error, ERROR",
        "fatal, FATAL",
        "critical, FATAL"
    })
    void levels_are_case_insensitive(String word, Level level) {
        assertThat(Level.parse(word)).contains(level);
        assertThat(Thresholds.parse(word, complaint -> {})).isEqualTo(Thresholds.of(level));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "inf", "info!", "0"})
    void other_words_are_not_levels(String word) {
        assertThat(Level.parse(word)).isEmpty();
    }

    @Test
    void thresholds_may_differ_by_logger_name_and_the_longest_name_wins() {
        List<String> warnings = new ArrayList<>();
        Thresholds thresholds = Thresholds.parse("debug, org.eclipse=warn ,org.eclipse.jetty=error,", warnings::add);
        assertThat(thresholds.general()).isEqualTo(Level.DEBUG);
        assertThat(thresholds.of("org.eclipse.jetty.server")).isEqualTo(Level.ERROR);
        assertThat(thresholds.of("org.eclipse.jetty")).isEqualTo(Level.ERROR);
        assertThat(thresholds.of("org.eclipse.other")).isEqualTo(Level.WARN);
        assertThat(thresholds.of("org.eclipsed")).isEqualTo(Level.DEBUG);
        assertThat(thresholds.of("")).isEqualTo(Level.DEBUG);
        assertThat(warnings).isEmpty();
    }

    @Test
    void each_invalid_part_is_reported_and_the_rest_is_used() {
        List<String> warnings = new ArrayList<>();
        Thresholds thresholds = Thresholds.parse("a=loud,=info,warn", warnings::add);
        assertThat(thresholds).isEqualTo(Thresholds.of(Level.WARN));
        assertThat(warnings).hasSize(2);
    }
}
