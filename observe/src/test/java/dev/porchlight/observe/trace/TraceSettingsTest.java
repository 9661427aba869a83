// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.otlp.OtlpSettings;
import dev.porchlight.observe.otlp.OtlpSettings.Exporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceSettingsTest {
    private final List<String> warnings = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "http://collector:4318, http://collector:4318/v1/traces",
        "http://collector:4318/, http://collector:4318/v1/traces",
        "https://collector/otlp, https://collector/otlp/v1/traces",
        "https://collector/otlp/, https://collector/otlp/v1/traces",
        "https://collector/a%20b?key=1, https://collector/a%20b/v1/traces?key=1",
        "HTTP://[::1]:4318, HTTP://[::1]:4318/v1/traces",
        "' http://collector ', http://collector/v1/traces",
    })
    void the_endpoint_is_a_base_url_and_keeps_its_path(String base, String endpoint) {
        assertThat(read("OTEL_EXPORTER_OTLP_ENDPOINT", base).export.endpoint().uri())
                .hasToString(endpoint);
    }

    @ParameterizedTest
    @CsvSource({
        "http://collector:4318, http://collector:4318/",
        "http://collector:4318/, http://collector:4318/",
        "http://collector:4318/custom, http://collector:4318/custom",
        "http://collector:4318?key=1, http://collector:4318/?key=1",
    })
    void the_traces_endpoint_is_used_unchanged_and_wins(String text, String endpoint) {
        TraceSettings settings =
                read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", text, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://other");
        assertThat(settings.export.endpoint().uri()).hasToString(endpoint);
    }

    @Test
    void without_an_endpoint_or_exporter_name_tracing_is_off() {
        assertThat(read().export.exporter()).isEqualTo(Exporter.NONE);
        assertThat(read("OTEL_EXPORTER_OTLP_ENDPOINT", " ").export.exporter()).isEqualTo(Exporter.NONE);
        assertThat(read("OTEL_TRACES_EXPORTER", "otlp").export.endpoint().uri())
                .hasToString("http://localhost:4318/v1/traces");
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"collector:4318", "grpc://collector:4317", "http://", "http:///v1", "http://a b", "/v1/traces"})
    void an_invalid_endpoint_is_a_warning_and_nothing_is_sent(String text) {
        assertThat(read("OTEL_EXPORTER_OTLP_ENDPOINT", text).export.exporter()).isEqualTo(Exporter.NONE);
        assertThat(warnings).singleElement().asString().startsWith("OTEL_EXPORTER_OTLP_ENDPOINT is not an http");
    }

    @Test
    void the_protocol_is_protobuf_unless_json_is_configured() {
        assertThat(otlp().json()).isFalse();
        assertThat(otlp("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf").json()).isFalse();
        assertThat(otlp("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json").json()).isTrue();
        assertThat(otlp(
                                "OTEL_EXPORTER_OTLP_PROTOCOL",
                                "http/protobuf",
                                "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
                                "http/json")
                        .json())
                .isTrue();
        assertThat(warnings).isEmpty();
    }

    @Test
    void grpc_falls_back_to_protobuf_with_a_warning() {
        assertThat(otlp("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc").json()).isFalse();
        assertThat(warnings)
                .containsExactly(
                        "OTEL_EXPORTER_OTLP_PROTOCOL is not one of http/json, http/protobuf; the default is used");
    }

    @Test
    void headers_are_percent_encoded_pairs_and_traces_headers_win() {
        String headers = " api-key = a%20b%2Cc+d , x-tenant=%C3%A9,, ";
        assertThat(otlp("OTEL_EXPORTER_OTLP_HEADERS", headers).headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("api-key", "a b,c+d", "x-tenant", "é"));
        assertThat(otlp("OTEL_EXPORTER_OTLP_HEADERS", headers, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=b=c")
                        .headers())
                .containsExactlyEntriesOf(Map.of("a", "b=c"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"secret", "=secret", "a=%zzsecret", "a=%2", "a=%ff", "host=secret", "a b=secret", "a=%0Asecret"})
    void invalid_headers_are_ignored_and_not_printed(String headers) {
        assertThat(otlp("OTEL_EXPORTER_OTLP_HEADERS", headers).headers()).isEmpty();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains("OTEL_EXPORTER_OTLP_HEADERS")
                .doesNotContain("secret");
    }

    @Test
    void header_values_are_never_printed() {
        assertThat(otlp("OTEL_EXPORTER_OTLP_HEADERS", "api-key=secret").toString())
                .contains("api-key")
                .doesNotContain("secret");
    }

    @Test
    void compression_is_off_unless_configured() {
        assertThat(otlp().gzip()).isFalse();
        assertThat(otlp("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip").gzip()).isTrue();
        assertThat(otlp("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip", "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "none")
                        .gzip())
                .isFalse();
        assertThat(otlp("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd").gzip()).isFalse();
        assertThat(warnings).hasSize(1);
    }

    @Test
    void defaults_are_those_of_the_batch_span_processor() {
        assertThat(read().export.batching())
                .isEqualTo(new OtlpSettings.Batching(2048, 512, Duration.ofSeconds(5), Duration.ofSeconds(30)));
        assertThat(otlp().timeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(read("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c").export.requestLimitNanos())
                .isEqualTo(Duration.ofSeconds(10).toNanos());
    }

    @Test
    void numbers_are_read_from_the_environment() {
        TraceSettings settings = read(
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c",
                "OTEL_BSP_MAX_QUEUE_SIZE", "100",
                "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10",
                "OTEL_BSP_SCHEDULE_DELAY", "20",
                "OTEL_BSP_EXPORT_TIMEOUT", "30",
                "OTEL_EXPORTER_OTLP_TIMEOUT", "50",
                "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "40");
        assertThat(settings.export.batching())
                .isEqualTo(new OtlpSettings.Batching(100, 10, Duration.ofMillis(20), Duration.ofMillis(30)));
        assertThat(settings.export.endpoint().timeout()).isEqualTo(Duration.ofMillis(40));
        assertThat(settings.export.requestLimitNanos())
                .as("the shorter of the two")
                .isEqualTo(30_000_000);
    }

    @Test
    void a_timeout_of_zero_means_no_limit() {
        assertThat(read("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c", "OTEL_EXPORTER_OTLP_TIMEOUT", "0")
                        .export
                        .requestLimitNanos())
                .isEqualTo(Duration.ofSeconds(30).toNanos());
        assertThat(read(
                                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c",
                                "OTEL_EXPORTER_OTLP_TIMEOUT", "0",
                                "OTEL_BSP_EXPORT_TIMEOUT", "0")
                        .export
                        .requestLimitNanos())
                .isZero();
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "0", "1.5", "99999999999", "1048577"})
    void an_invalid_number_is_a_warning_and_the_default_is_used(String text) {
        assertThat(read("OTEL_BSP_MAX_QUEUE_SIZE", text).export.batching().queueSize())
                .isEqualTo(2048);
        assertThat(warnings)
                .containsExactly("OTEL_BSP_MAX_QUEUE_SIZE is not a whole number from 1 to 1048576; 2048 is used");
    }

    @Test
    void the_batch_size_is_capped_at_the_queue_size() {
        assertThat(read("OTEL_BSP_MAX_QUEUE_SIZE", "100").export.batching().batchSize())
                .isEqualTo(100);
        assertThat(warnings).isEmpty();
        assertThat(read("OTEL_BSP_MAX_QUEUE_SIZE", "100", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "101")
                        .export
                        .batching()
                        .batchSize())
                .isEqualTo(100);
        assertThat(warnings).hasSize(1);
    }

    @Test
    void an_empty_otel_variable_counts_as_unset() {
        Map<String, String> empty = new HashMap<>();
        for (String name : new String[] {
            "OTEL_SDK_DISABLED",
            "OTEL_SERVICE_NAME",
            "OTEL_RESOURCE_ATTRIBUTES",
            "OTEL_TRACES_SAMPLER",
            "OTEL_TRACES_SAMPLER_ARG",
            "OTEL_TRACES_EXPORTER",
            "OTEL_BSP_SCHEDULE_DELAY",
            "OTEL_BSP_MAX_QUEUE_SIZE",
            "OTEL_EXPORTER_OTLP_HEADERS",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"
        }) {
            empty.put(name, "");
        }
        empty.put("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c");
        TraceSettings unset = read("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c");
        assertThat(read(empty))
                .usingRecursiveComparison()
                .ignoringFields("sampler")
                .isEqualTo(unset);
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, NONE, 0", "TRUE, NONE, 0", "false, OTLP, 0", "False, OTLP, 0", "1, OTLP, 1", "yes, OTLP, 1"})
    void tracing_is_off_only_if_disabled_is_true(String text, Exporter exporter, int count) {
        assertThat(read("OTEL_SDK_DISABLED", text, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c")
                        .export
                        .exporter())
                .isEqualTo(exporter);
        assertThat(warnings).hasSize(count);
    }

    @ParameterizedTest
    @CsvSource({"none, NONE, 0", "otlp, OTLP, 0", "console, CONSOLE, 0", "Console, CONSOLE, 0", "zipkin, OTLP, 1"})
    void the_exporter_is_selected_by_name(String name, Exporter exporter, int count) {
        assertThat(read("OTEL_TRACES_EXPORTER", name, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://c")
                        .export
                        .exporter())
                .isEqualTo(exporter);
        assertThat(warnings).hasSize(count);
    }

    @Test
    void the_service_name_variable_wins_over_resource_attributes() {
        assertThat(resource()).containsEntry("service.name", "own").containsEntry("telemetry.sdk.language", "java");
        assertThat(resource("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,deployment.environment.name=prod%2Ceu"))
                .containsEntry("service.name", "a")
                .containsEntry("deployment.environment.name", "prod,eu");
        assertThat(resource("OTEL_RESOURCE_ATTRIBUTES", "service.name=a", "OTEL_SERVICE_NAME", "b"))
                .containsEntry("service.name", "b");
        assertThat(resource("OTEL_RESOURCE_ATTRIBUTES", "a=1,broken")).doesNotContainKey("a");
        assertThat(warnings).hasSize(1);
    }

    @Test
    void span_limits_are_read_from_the_environment() {
        assertThat(read().limits).isEqualTo(new TraceSettings.Limits(128, 128, 128, 128, 128, Integer.MAX_VALUE));
        assertThat(read(
                                "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "1",
                                "OTEL_SPAN_EVENT_COUNT_LIMIT", "2",
                                "OTEL_SPAN_LINK_COUNT_LIMIT", "3",
                                "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT", "4",
                                "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT", "5",
                                "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "6")
                        .limits)
                .isEqualTo(new TraceSettings.Limits(1, 2, 3, 4, 5, 6));
        assertThat(read("OTEL_ATTRIBUTE_COUNT_LIMIT", "9").limits.attributes()).isEqualTo(9);
        assertThat(read("OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "6", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "7")
                        .limits
                        .valueLength())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        // name, argument, root, child of sampled, child of unsampled
        "'', '', true, true, false",
        "always_on, '', true, true, true",
        "always_off, '', false, false, false",
        "traceidratio, 0, false, false, false",
        "traceidratio, '', true, true, true",
        "parentbased_always_on, '', true, true, false",
        "parentbased_always_off, '', false, true, false",
        "parentbased_traceidratio, 0, false, true, false",
        "PARENTBASED_TRACEIDRATIO, 1.0, true, true, false",
    })
    void the_sampler_is_selected_by_name(
            String name, String argument, boolean root, boolean sampled, boolean unsampled) {
        Sampler sampler = read("OTEL_TRACES_SAMPLER", name, "OTEL_TRACES_SAMPLER_ARG", argument).sampler;
        assertThat(sampler.sample(SpanContext.NONE, 5)).isEqualTo(root);
        assertThat(sampler.sample(new SpanContext(1, 2, 3, 1, "", true), 2)).isEqualTo(sampled);
        assertThat(sampler.sample(new SpanContext(1, 2, 3, 2, "", true), 2)).isEqualTo(unsampled);
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"jaeger_remote, ''", "traceidratio, x", "traceidratio, 1.1", "traceidratio, -0.1", "traceidratio, NaN"})
    void an_unknown_sampler_is_a_warning_and_everything_is_sampled(String name, String argument) {
        Sampler sampler = read("OTEL_TRACES_SAMPLER", name, "OTEL_TRACES_SAMPLER_ARG", argument).sampler;
        assertThat(sampler.sample(SpanContext.NONE, Long.MAX_VALUE)).isTrue();
        assertThat(warnings).hasSize(1);
    }

    private Map<String, Object> resource(String... pairs) {
        return Map.copyOf(read(pairs).export.resource());
    }

    private OtlpSettings.Endpoint otlp(String... pairs) {
        Map<String, String> environment = map(pairs);
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c");
        return read(environment).export.endpoint();
    }

    private TraceSettings read(String... pairs) {
        return read(map(pairs));
    }

    private TraceSettings read(Map<String, String> environment) {
        return TraceSettings.fromEnvironment("own", environment, (variable, message) -> {
            assertThat(message).startsWith(variable + " ");
            warnings.add(message);
        });
    }

    private static Map<String, String> map(String... pairs) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
