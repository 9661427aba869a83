// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.porchlight.observe.log.Thresholds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {
    @Test
    void without_variables_it_listens_on_this_machine_alone() throws InvalidConfigException {
        Config config = Config.read(Map.of());
        assertThat(config.get(Settings.HOST)).isEqualTo("127.0.0.1");
        assertThat(config.get(Settings.PORT)).isEqualTo(8080);
        assertThat(config.get(Settings.MANAGEMENT_PORT)).isEmpty();
        assertThat(config.get(Settings.MAX_BODY_BYTES)).isEqualTo(65_536);
        assertThat(config.get(Settings.SHUTDOWN_DELAY_MS)).isZero();
        assertThat(config.loopback()).isTrue();
        assertThat(config.cloud()).isFalse();
    }

    @Test
    void in_the_cloud_it_listens_to_everyone_and_gives_load_balancers_time() throws InvalidConfigException {
        Config config = Config.read(Map.of("K_SERVICE", "login"));
        assertThat(config.get(Settings.HOST)).isEqualTo("0.0.0.0");
        assertThat(config.cloud()).isTrue();
        assertThat(config.loopback()).isFalse();
        assertThat(config.get(Settings.SHUTDOWN_DELAY_MS)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void an_empty_variable_is_an_unset_one() throws InvalidConfigException {
        Map<String, String> empty = new HashMap<>();
        for (Setting<?> setting : Settings.all()) {
            empty.put(setting.name(), " ");
        }
        Config config = Config.read(empty);
        assertThat(config.get(Settings.PORT)).isEqualTo(8080);
        assertThat(config.get(Settings.MANAGEMENT_PORT)).isEmpty();
        assertThat(config.cloud()).isFalse();
    }

    @Test
    void all_faults_are_told_together_each_with_what_would_be_right() {
        InvalidConfigException e = catchThrowableOfType(
                InvalidConfigException.class,
                () -> Config.read(Map.of(
                        "PORT", "http",
                        "HOST", "http://localhost",
                        "MANAGEMENT_PORT", "70000",
                        "MAX_BODY_BYTES", "1",
                        "SVC_READINESS_DELAY_MS", "-1",
                        "SHUTDOWN_DELAY_MS", "soon",
                        "SHUTDOWN_TIMEOUT_MS", "1.5",
                        "LOG_LEVEL", "loud",
                        "OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318")));
        assertThat(e.faults())
                .extracting(fault -> fault.setting().name())
                .containsExactlyInAnyOrder(
                        "PORT",
                        "HOST",
                        "MANAGEMENT_PORT",
                        "MAX_BODY_BYTES",
                        "SVC_READINESS_DELAY_MS",
                        "SHUTDOWN_DELAY_MS",
                        "SHUTDOWN_TIMEOUT_MS",
                        "LOG_LEVEL",
                        "OTEL_EXPORTER_OTLP_ENDPOINT");
        assertThat(e.faults()).allSatisfy(fault -> {
            assertThat(fault.wrong()).isNotBlank();
            assertThat(fault.right()).isNotBlank();
        });
        assertThat(e.getMessage()).contains("PORT is \"http\": a whole number from 0 to 65535 is needed");
    }

    @Test
    void one_port_for_both_is_no_management_port() {
        assertThat(faulty(Map.of("PORT", "9000", "MANAGEMENT_PORT", "9000"))).containsExactly("MANAGEMENT_PORT");
    }

    @ParameterizedTest
    @CsvSource({"localhost,true", "127.0.0.1,true", "127.1.2.3,true", "::1,true", "0.0.0.0,false", "10.0.0.1,false"})
    void knows_which_addresses_only_this_machine_reaches(String host, boolean loopback) throws InvalidConfigException {
        assertThat(Config.read(Map.of("HOST", host)).loopback()).isEqualTo(loopback);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"warn", "info,org.eclipse.jetty=debug", "DEBUG"})
    void log_levels_can_be_a_list(String level) throws InvalidConfigException {
        assertThat(Config.read(Map.of("LOG_LEVEL", level)).get(Settings.LOG_LEVEL))
                .isEqualTo(Thresholds.parse(level, complaint -> fail(complaint)));
    }

    private static List<String> faulty(Map<String, String> variables) {
        return catchThrowableOfType(InvalidConfigException.class, () -> Config.read(variables)).faults().stream()
                .map(fault -> fault.setting().name())
                .toList();
    }
}
