// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogConfigTest {
    @Test
    void an_empty_environment_gives_json_from_info() {
        LogConfig config = LogConfig.fromEnvironment(Map.of(), false);
        assertThat(config)
                .isEqualTo(new LogConfig(
                        "unknown_service:java", Thresholds.of(Level.INFO), new LogFormat.Json(), List.of()));
    }

    @Test
    void k_service_gives_the_cloud_format_even_at_a_terminal() {
        Map<String, String> environment =
                Map.of("K_SERVICE", "auth", "K_REVISION", "auth-1", "GOOGLE_CLOUD_PROJECT", "p");
        LogConfig config = LogConfig.fromEnvironment(environment, true);
        assertThat(config.format()).isEqualTo(new LogFormat.Cloud("p", "auth-1"));
        assertThat(config.service()).isEqualTo("auth");
    }

    @Test
    void an_empty_variable_counts_as_unset() {
        Map<String, String> environment =
                Map.of("K_SERVICE", "", "OTEL_SERVICE_NAME", " ", "LOG_LEVEL", "", "NO_COLOR", "");
        LogConfig config = LogConfig.fromEnvironment(environment, true);
        assertThat(config.format()).isEqualTo(new LogFormat.Console(true));
        assertThat(config.service()).isEqualTo("unknown_service:java");
        assertThat(config.complaints()).isEmpty();
    }

    @Test
    void a_person_at_a_terminal_gets_the_console_format_with_colour_unless_told_otherwise() {
        assertThat(LogConfig.fromEnvironment(Map.of("TERM", "xterm"), true).format())
                .isEqualTo(new LogFormat.Console(true));
        assertThat(LogConfig.fromEnvironment(Map.of("NO_COLOR", "1"), true).format())
                .isEqualTo(new LogFormat.Console(false));
        assertThat(LogConfig.fromEnvironment(Map.of("TERM", "dumb"), true).format())
                .isEqualTo(new LogFormat.Console(false));
    }

    @Test
    void the_service_name_of_opentelemetry_wins() {
        Map<String, String> environment = Map.of("OTEL_SERVICE_NAME", "named", "K_SERVICE", "other");
        assertThat(LogConfig.fromEnvironment(environment, false).service()).isEqualTo("named");
        assertThat(LogConfig.fromEnvironment(environment, false)
                        .withService("mine")
                        .service())
                .isEqualTo("mine");
    }

    @Test
    void a_level_that_is_none_is_warned_of_and_info_holds() {
        LogConfig config = LogConfig.fromEnvironment(Map.of("LOG_LEVEL", "loud"), false);
        Captured captured = new Captured();
        Logger log = config.withService("auth").open(captured.writer);
        assertThat(captured.object())
                .containsEntry("level", "warn")
                .hasEntrySatisfying(
                        "message",
                        message -> assertThat((String) message)
                                .startsWith("LOG_LEVEL \"loud\" is not understood; expected trace, debug, info"));
        assertThat(log.isEnabled(Level.INFO)).isTrue();
        assertThat(log.isEnabled(Level.DEBUG)).isFalse();
    }

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
    void levels_are_read_in_any_case(String word, Level level) {
        assertThat(Level.parse(word)).contains(level);
        assertThat(LogConfig.fromEnvironment(Map.of("LOG_LEVEL", word), false).thresholds())
                .isEqualTo(Thresholds.of(level));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "inf", "info!", "0"})
    void other_words_are_no_levels(String word) {
        assertThat(Level.parse(word)).isEmpty();
    }

    @Test
    void thresholds_may_differ_by_logger_name_and_the_longest_name_wins() {
        List<String> complaints = new ArrayList<>();
        Thresholds thresholds = Thresholds.parse("debug, org.eclipse=warn ,org.eclipse.jetty=error,", complaints::add);
        assertThat(thresholds.general()).isEqualTo(Level.DEBUG);
        assertThat(thresholds.of("org.eclipse.jetty.server")).isEqualTo(Level.ERROR);
        assertThat(thresholds.of("org.eclipse.jetty")).isEqualTo(Level.ERROR);
        assertThat(thresholds.of("org.eclipse.other")).isEqualTo(Level.WARN);
        assertThat(thresholds.of("org.eclipsed")).isEqualTo(Level.DEBUG);
        assertThat(thresholds.of("")).isEqualTo(Level.DEBUG);
        assertThat(complaints).isEmpty();
    }

    @Test
    void each_part_that_is_not_understood_is_complained_of_and_the_rest_holds() {
        List<String> complaints = new ArrayList<>();
        Thresholds thresholds = Thresholds.parse("a=loud,=info,warn", complaints::add);
        assertThat(thresholds).isEqualTo(Thresholds.of(Level.WARN));
        assertThat(complaints).hasSize(2);
    }
}
