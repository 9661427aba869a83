// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.trace.Tracer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFormatTest {
    private static final SpanContext TRACE =
            new SpanContext(0x4bf92f3577b34da6L, 0xa3ce929d0e0e4736L, 0x00f067aa0ba902b7L, 1, "", false);

    private final Captured captured = new Captured();

    @Test
    void trace_id_span_id_and_trace_flags_are_top_level_inside_a_trace() {
        captured.trace = TRACE;
        captured.json().info("hello");
        assertThat(captured.object())
                .containsEntry("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736")
                .containsEntry("span_id", "00f067aa0ba902b7")
                .containsEntry("trace_flags", "01");
    }

    @Test
    void trace_flags_show_that_a_trace_is_not_sampled() {
        captured.trace = new SpanContext(1, 2, 3, 2, "", true);
        captured.json().info("hello");
        assertThat(captured.object()).containsEntry("trace_flags", "02");
    }

    @Test
    void a_line_outside_a_trace_has_no_trace_fields() {
        captured.json().info("hello");
        assertThat(captured.object()).doesNotContainKeys("trace_id", "span_id", "trace_flags");
    }

    @Test
    void a_logger_uses_the_current_span_by_default() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Logger log = new Logger("auth", Level.INFO, new LogFormat.Json(), LogWriter.to(bytes));
        try (Scope scope = Tracer.off().start("work", Attributes.none(), TRACE).makeCurrent()) {
            assertThat(scope).isNotNull();
            log.info("inside");
        }
        log.info("outside");
        String[] lines = bytes.toString(StandardCharsets.UTF_8).split("\n", -1);
        assertThat(StrictJson.object(lines[0])).containsEntry("trace_id", TRACE.traceIdHex());
        assertThat(StrictJson.object(lines[1])).doesNotContainKey("trace_id");
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000Z",
        "2024-02-29T23:59:59.999Z, 2024-02-29T23:59:59.999Z",
        "2026-01-02T03:04:05.006Z, 2026-01-02T03:04:05.006Z",
        "1969-12-31T23:59:59Z, 1970-01-01T00:00:00.000Z",
        "+10000-01-01T00:00:00Z, 9999-12-31T23:59:59.999Z"
    })
    void the_timestamp_is_iso_8601_in_utc_with_milliseconds(String now, String expected) {
        Clock clock = Clock.fixed(Instant.parse(now), ZoneOffset.ofHours(5));
        new Logger(
                        "auth",
                        Thresholds.of(Level.INFO),
                        new LogFormat.Json(),
                        captured.writer,
                        () -> SpanContext.NONE,
                        clock)
                .info("hello");
        assertThat(captured.object()).containsEntry("timestamp", expected);
    }

    @Test
    void an_exception_has_class_message_hash_and_stack_trace() {
        IllegalStateException thrown = new IllegalStateException("went wrong");
        captured.json().error("failed", thrown, Fields.of("attempt", 2));
        assertThat(captured.object())
                .containsKey("attempt")
                .hasEntrySatisfying(
                        "exception",
                        exception -> assertThat(exception)
                                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                                .containsEntry("class", "java.lang.IllegalStateException")
                                .containsEntry("message", "went wrong")
                                .hasEntrySatisfying(
                                        "hash",
                                        hash -> assertThat((String) hash).matches("[0-9a-f]{16}")))
                .hasEntrySatisfying(
                        "stack_trace",
                        stack -> assertThat((String) stack)
                                .startsWith("java.lang.IllegalStateException: went wrong\n\tat "
                                        + getClass().getName()));
    }

    @Test
    void a_very_long_service_name_is_truncated() {
        new Logger("s".repeat(1000), Level.INFO, new LogFormat.Json(), captured.writer).info("hello");
        assertThat(captured.object()).containsEntry("service", "s".repeat(128));
    }
}
