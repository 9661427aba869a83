// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoggerTest {
    private final Captured captured = new Captured();
    private final Logger log = captured.json();

    @Test
    void a_line_has_service_level_message_time_and_the_fields_of_the_call() {
        log.info("hello", new Fields().put("a", 1).put("b", "two").put("c", true));
        assertThat(captured.text())
                .isEqualTo("{\"timestamp\":\"2026-11-15T10:20:30.123Z\",\"level\":\"info\",\"service\":\"auth\","
                        + "\"message\":\"hello\",\"a\":1,\"b\":\"two\",\"c\":true}\n");
    }

    @Test
    void nulls_never_throw_and_lose_no_line() {
        log.log(null, null, null, (Fields) null);
        log.log(null, null, null, Fields.of((Map<String, ?>) null));
        log.info(null);
        log.info("x", Fields.of((Map<String, ?>) null));
        log.error(null, (Throwable) null, null);
        log.child((Fields) null)
                .child(Fields.of((Map<String, ?>) null))
                .named(null)
                .info("x", Fields.of(null, null));
        captured.logger(new LogFormat.Json(), Thresholds.parse("info,a=warn", text -> {}))
                .named(null)
                .info("x");
        new Logger(null, Level.INFO, new LogFormat.Json(), captured.writer).info("x");
        assertThat(log.isEnabled(null)).isTrue();
        assertThat(captured.lines())
                .hasSize(8)
                .allSatisfy(line -> assertThat(StrictJson.object(line)).containsKeys("service", "level", "message"));
        assertThat(captured.lines().get(0)).contains("\"level\":\"info\"");
        assertThat(captured.writer.stats().dropped()).isZero();
    }

    @Test
    void fields_can_be_created_from_a_map() {
        log.info("hello", Fields.of(Map.of("count", 42)));
        assertThat(captured.object()).containsEntry("count", new BigDecimal("42"));
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void lines_below_the_threshold_are_not_written(Level threshold) {
        Logger quiet = captured.logger(new LogFormat.Json(), Thresholds.of(threshold));
        Fields none = new Fields();
        for (Level level : Level.values()) {
            quiet.log(level, level.label(), null, none);
            assertThat(quiet.isEnabled(level)).isEqualTo(level.compareTo(threshold) >= 0);
        }
        assertThat(captured.lines())
                .hasSize(Level.values().length - List.of(Level.values()).indexOf(threshold));
        assertThat(captured.lines().get(0)).contains("\"level\":\"" + threshold.label() + "\"");
    }

    @Test
    void every_level_has_methods() {
        Fields fields = Fields.of("f", 1);
        Map<String, Integer> map = Map.of("f", 1);
        RuntimeException thrown = new RuntimeException("t");
        log.trace("1");
        log.trace("2", fields);
        log.trace("3", Fields.of(map));
        log.trace("4", thrown);
        log.trace("5", thrown, fields);
        log.debug("1");
        log.debug("2", fields);
        log.debug("3", Fields.of(map));
        log.debug("4", thrown);
        log.debug("5", thrown, fields);
        log.info("1");
        log.info("2", fields);
        log.info("3", Fields.of(map));
        log.info("4", thrown);
        log.info("5", thrown, fields);
        log.warn("1");
        log.warn("2", fields);
        log.warn("3", Fields.of(map));
        log.warn("4", thrown);
        log.warn("5", thrown, fields);
        log.error("1");
        log.error("2", fields);
        log.error("3", Fields.of(map));
        log.error("4", thrown);
        log.error("5", thrown, fields);
        log.log(Level.FATAL, "1", null, new Fields());
        log.log(Level.FATAL, "2", null, fields);
        log.log(Level.FATAL, "3", null, Fields.of(map));
        log.log(Level.FATAL, "4", thrown, new Fields());
        log.log(Level.FATAL, "5", thrown, fields);
        List<Map<String, Object>> lines =
                captured.lines().stream().map(StrictJson::object).toList();
        List<String> levels = List.of("trace", "debug", "info", "warn", "error", "fatal");
        for (int i = 0; i < lines.size(); i++) {
            Map<String, Object> line = lines.get(i);
            int overload = i % 5 + 1;
            assertThat(line)
                    .containsEntry("level", levels.get(i / 5))
                    .containsEntry("message", String.valueOf(overload));
            assertThat(line.containsKey("f")).isEqualTo(overload == 2 || overload == 3 || overload == 5);
            assertThat(line.containsKey("stack_trace")).isEqualTo(overload >= 4);
        }
        assertThat(lines).hasSize(30);
    }

    @Test
    void a_child_binds_fields_and_its_child_adds_more() {
        Logger child = log.child(Fields.of("requestId", "r1")).child(Fields.of(Map.of("userId", "u1")));
        child.info("hello", Fields.of("x", 1));
        assertThat(captured.object().keySet())
                .containsExactly("timestamp", "level", "service", "message", "requestId", "userId", "x");
    }

    @Test
    void a_parent_is_not_changed_by_its_children() {
        log.child(Fields.of("requestId", "r1"));
        log.info("hello");
        assertThat(captured.object()).doesNotContainKey("requestId");
    }

    @Test
    void the_last_duplicate_in_a_call_wins_and_is_printed_once() {
        log.info("hello", new Fields().put("a", 1).put("b", 2).put("a", 3).put("a", 4));
        assertThat(captured.text()).endsWith("\"message\":\"hello\",\"b\":2,\"a\":4}\n");
    }

    @Test
    void a_field_of_the_call_overrides_a_bound_one_and_is_printed_once() {
        Logger child =
                log.child(new Fields().put("a", 1).put("b", 2).put("c", 3)).child(Fields.of("b", 20, "d", 4));
        child.info("hello", Fields.of("c", 30));
        assertThat(captured.text()).endsWith("\"message\":\"hello\",\"a\":1,\"b\":20,\"d\":4,\"c\":30}\n");
    }

    @Test
    void duplicates_are_detected_after_renaming_and_sanitizing() {
        log.info(
                "hello",
                new Fields()
                        .put("level", 1)
                        .put("extra.level", 2)
                        .put("\ud800", 3)
                        .put("\udc00", 4));
        assertThat(captured.object())
                .containsEntry("extra.level", new BigDecimal(2))
                .containsEntry("\ufffd", new BigDecimal(4));
    }

    @Test
    void each_of_many_fields_is_printed_once_despite_duplicates() {
        Logger child = log;
        for (int i = 0; i < 100; i++) {
            child = child.child(new Fields().put("k" + i, i));
        }
        Fields fields = new Fields();
        for (int i = 50; i < 200; i++) {
            fields.put("k" + i, -i).put("k" + i, i);
        }
        child.info("hello", fields);
        Map<String, Object> line = captured.object();
        for (int i = 0; i < 150; i++) {
            assertThat(line).containsEntry("k" + i, new BigDecimal(i));
        }
    }

    @Test
    void bound_values_are_rendered_when_bound() {
        StringBuilder changing = new StringBuilder("before");
        Logger child = log.child(Fields.of("a", changing));
        changing.append(" and after");
        child.info("hello");
        assertThat(captured.object()).containsEntry("a", "before");
    }

    @Test
    void one_fields_object_can_be_reused_for_many_lines() {
        Fields fields = new Fields();
        for (int i = 0; i < 3; i++) {
            log.info("hello", fields.clear().put("i", i).put("half", i / 2.0).put("even", i % 2 == 0));
        }
        assertThat(captured.lines()).hasSize(3);
        assertThat(captured.lines().get(1)).endsWith("\"i\":1,\"half\":0.5,\"even\":false}");
    }

    @Test
    void a_named_logger_has_its_name_as_a_field_and_its_own_threshold() {
        Thresholds thresholds = new Thresholds(Level.DEBUG, Map.of("org.eclipse", Level.WARN));
        Logger named = captured.logger(new LogFormat.Json(), thresholds).named("org.eclipse.jetty");
        named.info("quiet");
        named.warn("loud");
        assertThat(captured.object()).containsEntry("message", "loud").containsEntry("logger", "org.eclipse.jetty");
    }

    @Test
    void null_arguments_are_tolerated() {
        log.info(null);
        log.info("hello", (Fields) null);
        log.info("hello", Fields.of((Map<String, ?>) null));
        log.info("hello", Fields.of(null, null));
        log.error("hello", (Throwable) null);
        assertThat(captured.lines()).hasSize(5);
        captured.lines().forEach(StrictJson::object);
        assertThat(captured.lines().get(3)).endsWith("\"null\":null}");
    }

    @Test
    void a_failing_trace_supplier_costs_the_trace_fields_and_not_the_line() {
        Logger broken = new Logger(
                "auth",
                Thresholds.of(Level.INFO),
                new LogFormat.Json(),
                captured.writer,
                () -> {
                    throw new IllegalStateException();
                },
                Clock.systemUTC());
        broken.info("hello");
        assertThat(captured.object()).containsEntry("message", "hello").doesNotContainKey("trace_id");
    }

    @Test
    void a_line_that_cannot_be_encoded_is_counted() {
        Clock stopped = new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                throw new IllegalStateException();
            }
        };
        Logger broken = new Logger(
                "auth",
                Thresholds.of(Level.INFO),
                new LogFormat.Json(),
                captured.writer,
                () -> SpanContext.NONE,
                stopped);
        broken.warn("hello");
        assertThat(captured.writer.stats().dropped(Level.WARN, LineDropReason.ENCODING_FAILED))
                .isEqualTo(1);
    }

    @Test
    void a_value_that_logs_while_it_is_printed_writes_a_separate_line() {
        Object chatty = new Object() {
            @Override
            public String toString() {
                log.info("inner");
                return "outer value";
            }
        };
        log.info("outer", Fields.of("value", chatty));
        assertThat(captured.lines()).hasSize(2);
        assertThat(StrictJson.object(captured.lines().get(0))).containsEntry("message", "inner");
        assertThat(StrictJson.object(captured.lines().get(1))).containsEntry("value", "outer value");
    }
}
