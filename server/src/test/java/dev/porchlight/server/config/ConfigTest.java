// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
    @Test
    void without_variables_the_service_listens_on_loopback_only() throws InvalidConfigException {
        Config config = Config.read(Map.of());
        assertThat(config.get(Settings.HOST)).isEqualTo("127.0.0.1");
        assertThat(config.get(Settings.PORT)).isEqualTo(8080);
        assertThat(config.get(Settings.MANAGEMENT_PORT)).isEmpty();
        assertThat(config.get(Settings.MAX_BODY_BYTES)).isEqualTo(65_536);
        assertThat(config.get(Settings.SHUTDOWN_DELAY_MS)).isZero();
        assertThat(config.loopback()).isTrue();
    }

    @Test
    void on_cloud_run_the_service_listens_on_all_addresses_and_delays_shutdown() throws InvalidConfigException {
        Config config = Config.read(Map.of("K_SERVICE", "login"));
        assertThat(config.get(Settings.HOST)).isEqualTo("0.0.0.0");
        assertThat(config.loopback()).isFalse();
        assertThat(config.get(Settings.SHUTDOWN_DELAY_MS)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void an_empty_variable_counts_as_unset() throws InvalidConfigException {
        Map<String, String> empty = new HashMap<>();
        for (Setting<?> setting : Settings.all()) {
            empty.put(setting.name(), " ");
        }
        Config config = Config.read(empty);
        assertThat(config.get(Settings.PORT)).isEqualTo(8080);
        assertThat(config.get(Settings.MANAGEMENT_PORT)).isEmpty();
    }

    @Test
    void every_fault_has_a_problem_and_a_fix() {
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
            assertThat(fault.problem()).isNotBlank();
            assertThat(fault.fix()).isNotBlank();
        });
        assertThat(e.getMessage()).contains("PORT is \"http\": must be a whole number from 0 to 65535");
    }

    @Test
    void algorithms_are_listed_by_their_names() throws InvalidConfigException {
        assertThat(Config.read(Map.of("ALGORITHMS", "EdDSA,ES256,ES384,ES512,RS256,PS256"))
                        .get(Settings.ALGORITHMS))
                .containsExactly(
                        CredentialAlgorithm.EDDSA,
                        CredentialAlgorithm.ES256,
                        CredentialAlgorithm.ES384,
                        CredentialAlgorithm.ES512,
                        CredentialAlgorithm.RS256,
                        CredentialAlgorithm.PS256);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EdDSA", "ES256,ES256", "ES256,eddsa", "ES256,EDDSA", "ES256,ES256K", "ES256,ML_DSA_44"})
    void other_algorithms_are_refused_with_the_names_of_all(String algorithms) {
        InvalidConfigException e =
                catchThrowableOfType(InvalidConfigException.class, () -> Config.read(Map.of("ALGORITHMS", algorithms)));
        assertThat(e.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString())
                        .contains("ES256, alone or with some of ES256, EdDSA, ES384, ES512, RS256, PS256, ML-DSA-44"));
    }

    @Test
    void an_algorithm_that_neither_jdk_nor_native_provider_has_is_refused_with_what_it_requires() {
        if (!CredentialAlgorithm.ML_DSA_65.isAvailable(null)) { // before JDK 24
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Parsers.algorithms("ES256,ML-DSA-65", Optional::empty))
                    .withMessage("has ML-DSA-65, which requires JDK 24 or later, or the native crypto provider");
        }
        assertThat(Parsers.algorithms("ES256,ES384", () -> fail("the JDK has them")))
                .containsExactly(CredentialAlgorithm.ES256, CredentialAlgorithm.ES384);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prf,payment", "credProtect", "largeBlob=preferred", "appid=http://example.com"})
    void other_extensions_are_refused_with_the_names_of_all(String extensions) {
        InvalidConfigException e =
                catchThrowableOfType(InvalidConfigException.class, () -> Config.read(Map.of("EXTENSIONS", extensions)));
        assertThat(e.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString())
                        .contains("must be one of credProps, prf, largeBlob, largeBlob=required, credProtect="));
    }

    @Test
    void the_management_port_must_differ_from_the_port() {
        assertThat(faulty(Map.of("PORT", "9000", "MANAGEMENT_PORT", "9000"))).containsExactly("MANAGEMENT_PORT");
    }

    @ParameterizedTest
    @CsvSource({"localhost,true", "127.0.0.1,true", "127.1.2.3,true", "::1,true", "0.0.0.0,false", "10.0.0.1,false"})
    void loopback_addresses_are_recognized(String host, boolean loopback) throws InvalidConfigException {
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

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db/x?user=u&password=p@ss, jdbc:postgresql://db/x?user=u&password=********",
        "jdbc:postgresql://db:5432/x?password=p@ss&user=u, jdbc:postgresql://db:5432/x?password=********&user=u",
        "postgres://u:p@ss@db/x, postgres://u:********@db/x",
        "Ann@Home, Ann@Home"
    })
    void a_setting_is_displayed_without_credentials(String text, String displayed) {
        assertThat(Settings.DATABASE_URL.display(text)).isEqualTo(displayed);
    }
}
