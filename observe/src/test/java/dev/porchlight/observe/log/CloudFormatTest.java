// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudFormatTest {
    private static final String REPORTED =
            "type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent";

    private final Captured captured = new Captured();
    private final Logger log = captured.cloud();

    @ParameterizedTest
    @CsvSource({
        "TRACE, DEBUG",
        "DEBUG, DEBUG",
        "INFO, INFO",
        "WARN, WARNING",
        "ERROR, ERROR",
        "FATAL, ERROR",
    })
    void each_line_is_one_object_with_a_known_severity(Level level, String severity) {
        log.log(level, "two\nlines", null, new Fields());
        assertThat(captured.object()).containsEntry("severity", severity).doesNotContainKey("level");
    }

    @Test
    void message_service_and_fields_are_top_level_members() {
        log.info("hello", Fields.of("a", "b"));
        assertThat(captured.object())
                .containsEntry("message", "hello")
                .containsEntry("service", "auth")
                .containsEntry("a", "b")
                .doesNotContainKeys("@type", "serviceContext");
    }

    @Test
    void an_exception_is_written_as_print_stack_trace_prints_it() {
        Exception thrown = new IllegalStateException("outer", new RuntimeException("inner"));
        thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("a.B", "c", "B.java", 7)});
        StringWriter printed = new StringWriter();
        thrown.getCause().setStackTrace(thrown.getStackTrace());
        thrown.printStackTrace(new PrintWriter(printed));
        log.error("failed", thrown);
        assertThat(captured.object())
                .containsEntry("stack_trace", printed.toString().replace(System.lineSeparator(), "\n"))
                .doesNotContainKeys("@type", "serviceContext");
    }

    @Test
    void an_error_without_a_stack_is_marked_as_a_reported_error() {
        log.error("failed");
        assertThat(captured.object())
                .containsEntry("@type", REPORTED)
                .containsEntry("serviceContext", Map.of("service", "auth", "version", "auth-00042"));
    }

    @Test
    void an_exception_without_frames_is_marked_as_a_reported_error() {
        Exception thrown = new Exception("stackless");
        thrown.setStackTrace(new StackTraceElement[0]);
        log.log(Level.FATAL, "failed", thrown, new Fields());
        assertThat(captured.object()).containsEntry("@type", REPORTED).containsKey("stack_trace");
    }

    @Test
    void a_warning_is_not_reported_as_an_error() {
        log.warn("careful");
        assertThat(captured.object()).doesNotContainKeys("@type", "serviceContext");
    }

    @Test
    void the_time_is_written_as_timestamp_and_as_time() {
        log.info("hello");
        assertThat(captured.object()).containsEntry("timestamp", Captured.NOW).containsEntry("time", Captured.NOW);
    }

    @Test
    void no_field_can_override_the_time() {
        log.info(
                "hello",
                new Fields().put("timestampSeconds", 1).put("timestampNanos", 2).put("time", "1970-01-01T00:00:00Z"));
        assertThat(captured.object())
                .containsKeys("extra.timestampSeconds", "extra.timestampNanos", "extra.time")
                .doesNotContainKeys("timestampSeconds", "timestampNanos")
                .containsEntry("time", Captured.NOW);
    }

    @Test
    void the_trace_name_includes_its_project() {
        captured.trace = new SpanContext(0x4bf92f3577b34da6L, 0xa3ce929d0e0e4736L, 0xf067aa0ba902b7L, 1, "", false);
        log.info("hello");
        assertThat(captured.object())
                .containsEntry(
                        "logging.googleapis.com/trace", "projects/my-project/traces/4bf92f3577b34da6a3ce929d0e0e4736")
                .containsEntry("logging.googleapis.com/spanId", "00f067aa0ba902b7")
                .containsEntry("logging.googleapis.com/trace_sampled", true)
                .doesNotContainKeys("trace_id", "span_id", "trace_flags");
    }

    @Test
    void without_a_project_only_the_trace_id_is_written() {
        captured.trace = new SpanContext(1, 2, 3, 0, "", false);
        captured.logger(new LogFormat.Cloud(null, null)).error("hello");
        assertThat(captured.object())
                .containsEntry("logging.googleapis.com/trace", "00000000000000010000000000000002")
                .containsEntry("logging.googleapis.com/trace_sampled", false)
                .containsEntry("serviceContext", Map.of("service", "auth"));
    }

    @Test
    void names_reserved_for_the_agent_cannot_be_forged() {
        log.info("hello", Fields.of("logging.googleapis.com/labels", Map.of("a", 1), "severity", "EMERGENCY"));
        assertThat(captured.object())
                .containsKey("extra.logging.googleapis.com/labels")
                .doesNotContainKey("logging.googleapis.com/labels")
                .containsEntry("severity", "INFO");
    }

    @Test
    void members_of_http_request_have_the_types_that_the_agent_expects() {
        Map<String, Object> request = new HashMap<>();
        request.put("requestMethod", "GET");
        request.put("requestUrl", java.net.URI.create("https://example.com/x"));
        request.put("status", "204");
        request.put("responseSize", 512);
        request.put("userAgent", "curl");
        request.put("remoteIp", "192.0.2.1");
        request.put("latency", Duration.ofMillis(12));
        request.put("protocol", "HTTP/2");
        request.put("cacheHit", true);
        log.info("served", Fields.of("httpRequest", request));
        Map<String, Object> expected = new HashMap<>();
        expected.put("requestMethod", "GET");
        expected.put("requestUrl", "https://example.com/x");
        expected.put("status", new BigDecimal(204));
        expected.put("responseSize", "512");
        expected.put("userAgent", "curl");
        expected.put("remoteIp", "192.0.2.1");
        expected.put("latency", "0.012s");
        expected.put("protocol", "HTTP/2");
        expected.put("cacheHit", true);
        assertThat(captured.object()).containsEntry("httpRequest", expected);
    }

    @Test
    void a_member_that_cannot_be_converted_is_omitted_and_the_others_stay() {
        Map<String, Object> request = new HashMap<>();
        request.put("status", "teapot");
        request.put("responseSize", "big");
        request.put("latency", Double.NaN);
        request.put("cacheHit", "yes");
        request.put("userAgent", null);
        request.put("requestMethod", "GET");
        log.info("served", Fields.of("httpRequest", request));
        assertThat(captured.object()).containsEntry("httpRequest", Map.of("requestMethod", "GET"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "1, 1s", "0.5, 0.5s", "0.012, 0.012s", "2.000000001, 2.000000001s"})
    void a_number_of_seconds_becomes_a_latency(double seconds, String latency) {
        log.info("served", Fields.of("httpRequest", new Fields().put("latency", seconds)));
        assertThat(captured.object()).containsEntry("httpRequest", Map.of("latency", latency));
    }

    @Test
    void a_latency_text_must_be_valid() {
        log.info("a", Fields.of("httpRequest", Map.of("latency", "1.5s")));
        log.info("b", Fields.of("httpRequest", Map.of("latency", "soon")));
        log.info("c", Fields.of("httpRequest", Map.of("latency", Duration.ofSeconds(-1))));
        assertThat(captured.lines().get(0)).contains("{\"latency\":\"1.5s\"}");
        assertThat(captured.lines().get(1)).contains("\"httpRequest\":{}");
        assertThat(captured.lines().get(2)).contains("\"httpRequest\":{}");
    }

    @Test
    void the_largest_line_stays_far_below_the_entry_limit_and_marks_truncation() {
        Fields fields = new Fields();
        for (int i = 0; i < 300; i++) {
            fields.put("field" + i, "\u0000".repeat(100_000));
        }
        Logger child = log.child(fields);
        child.error("\u0001".repeat(100_000), new RuntimeException("\u0002".repeat(100_000)), fields);
        assertThat(captured.size()).isLessThanOrEqualTo(64 * 1024);
        assertThat((String) captured.object().get("message")).endsWith("…[+" + (100_000 - 2730) + "]");
        assertThat((BigDecimal) captured.object().get("truncated")).isGreaterThan(BigDecimal.valueOf(290));
    }
}
