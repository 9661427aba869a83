// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.Thresholds;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservabilitySettingsTest {
    @Test
    void an_empty_environment_means_json_at_level_info() {
        ObservabilitySettings settings = read(Map.of());
        assertThat(settings.service()).isEqualTo("own");
        assertThat(settings.logLevels()).isEqualTo(Thresholds.of(Level.INFO));
        assertThat(settings.logFormat()).isEqualTo(new LogFormat.Json());
        assertThat(settings.readinessDelay()).isEqualTo(Duration.ZERO);
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void k_service_selects_the_cloud_format_even_at_a_terminal() {
        Map<String, String> environment =
                Map.of("K_SERVICE", "auth", "K_REVISION", "auth-1", "GOOGLE_CLOUD_PROJECT", "p");
        assertThat(read(environment).forTerminal().logFormat()).isEqualTo(new LogFormat.Cloud("p", "auth-1"));
    }

    @Test
    void an_empty_variable_counts_as_unset() {
        Map<String, String> environment = Map.of(
                "K_SERVICE",
                "",
                "OTEL_SERVICE_NAME",
                " ",
                "LOG_LEVEL",
                "",
                "NO_COLOR",
                "",
                "SVC_READINESS_DELAY_MS",
                "");
        ObservabilitySettings settings = read(environment).forTerminal();
        assertThat(settings.logFormat()).isEqualTo(new LogFormat.Console(true));
        assertThat(settings.tracing().serviceName()).isEqualTo("own");
        assertThat(settings.readinessDelay()).isEqualTo(Duration.ZERO);
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void a_terminal_uses_the_console_format_with_color_unless_disabled() {
        assertThat(read(Map.of("TERM", "xterm")).forTerminal().logFormat()).isEqualTo(new LogFormat.Console(true));
        assertThat(read(Map.of("NO_COLOR", "1")).forTerminal().logFormat()).isEqualTo(new LogFormat.Console(false));
        assertThat(read(Map.of("TERM", "dumb")).forTerminal().logFormat()).isEqualTo(new LogFormat.Console(false));
    }

    @Test
    void the_service_name_of_opentelemetry_wins_in_traces() {
        Map<String, String> environment = Map.of("OTEL_SERVICE_NAME", "named", "K_SERVICE", "other");
        assertThat(read(environment).tracing().serviceName()).isEqualTo("named");
        assertThat(read(environment).service()).isEqualTo("own");
    }

    @Test
    void an_invalid_level_is_a_warning_and_info_is_used() {
        ObservabilitySettings settings = read(Map.of("LOG_LEVEL", "loud"));
        assertThat(settings.logLevels()).isEqualTo(Thresholds.of(Level.INFO));
        assertThat(settings.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.variable()).isEqualTo("LOG_LEVEL");
            assertThat(warning.message()).startsWith("LOG_LEVEL \"loud\" is invalid; expected trace, debug, info");
        });
    }

    @Test
    void a_variable_that_all_signals_read_is_reported_once() {
        Map<String, String> environment = Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c",
                "OTEL_METRICS_EXPORTER", "otlp",
                "OTEL_LOGS_EXPORTER", "otlp",
                "OTEL_EXPORTER_OTLP_COMPRESSION", "zstd",
                "OTEL_RESOURCE_ATTRIBUTES", "x");
        assertThat(read(environment).warnings())
                .extracting(ObservabilitySettings.Warning::variable)
                .containsExactlyInAnyOrder("OTEL_EXPORTER_OTLP_COMPRESSION", "OTEL_RESOURCE_ATTRIBUTES");
    }

    @Test
    void the_startup_delay_is_in_milliseconds() {
        assertThat(read(Map.of("SVC_READINESS_DELAY_MS", "60000")).readinessDelay())
                .isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "soon", "1.5", "99999999999999999999"})
    void an_invalid_startup_delay_is_a_warning_and_no_delay(String invalid) {
        ObservabilitySettings settings = read(Map.of("SVC_READINESS_DELAY_MS", invalid));
        assertThat(settings.readinessDelay()).isEqualTo(Duration.ZERO);
        assertThat(settings.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message())
                        .contains("SVC_READINESS_DELAY_MS")
                        .contains(invalid));
    }

    private static ObservabilitySettings read(Map<String, String> environment) {
        return ObservabilitySettings.fromEnvironment("own", environment);
    }
}
