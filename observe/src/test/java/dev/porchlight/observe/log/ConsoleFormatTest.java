// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsoleFormatTest {
    private final Captured captured = new Captured();
    private final Logger log = captured.console();

    @Test
    void a_line_has_time_level_service_message_and_fields_in_this_order() {
        log.child(Fields.of("requestId", "r1"))
                .warn(
                        "say \"hi\"",
                        new Fields()
                                .put("n", 1.5)
                                .put("path", "/a/b")
                                .put("text", "a b")
                                .put("list", List.of(1, "x")));
        assertThat(captured.text())
                .isEqualTo(
                        "10:20:30.123Z WARN  auth  say \"hi\" requestId=r1 n=1.5 path=/a/b text=\"a b\" list=[1,\"x\"]\n");
    }

    @Test
    void color_is_off_by_default() {
        log.error("hello", Fields.of("a", 1));
        assertThat(captured.text()).doesNotContain("\u001b");
    }

    @Test
    void color_marks_the_level_and_dims_the_names() {
        captured.logger(new LogFormat.Console(true)).error("hello", Fields.of("a", 1));
        assertThat(captured.text())
                .isEqualTo(
                        "10:20:30.123Z \u001b[31;1mERROR\u001b[0m \u001b[2mauth\u001b[0m  hello \u001b[2ma=\u001b[0m1\n");
    }

    @Test
    void values_cannot_break_a_line_or_control_the_terminal() {
        String evil = "x\r\n\u001b[2J\u009b31m\u0085\u2028\u2029\u202e\u0007";
        log.info(evil, new Fields().put(evil, evil).put("nested", Map.of(evil, List.of(evil))));
        assertThat(captured.text()
                        .chars()
                        .filter(c -> c < 0x20 || c >= 0x7f && c <= 0x9f || c >= 0x2028 && c <= 0x202e))
                .containsExactly((int) '\n');
        assertThat(captured.text()).contains("x\\r\\n\\u001b[2J\\u009b31m\\u0085\\u2028\\u2029\\u202e\\u0007");
    }

    @Test
    void a_name_cannot_forge_another_field() {
        log.info("hello", Fields.of("a=1 b", 2));
        assertThat(captured.text()).endsWith("hello \"a=1 b\"=2\n");
    }

    @Test
    void the_stack_trace_is_indented_and_a_message_cannot_start_a_line() {
        Exception thrown = new Exception("one\n10:20:30.123Z INFO  auth  forged\u001b[2J");
        thrown.setStackTrace(new StackTraceElement[] {new StackTraceElement("a.B", "c", "B.java", 7)});
        log.error("failed", thrown);
        assertThat(captured.lines())
                .containsExactly(
                        "10:20:30.123Z ERROR auth  failed",
                        "    java.lang.Exception: one\\n10:20:30.123Z INFO  auth  forged\\u001b[2J",
                        "        at a.B.c(B.java:7)");
    }

    @Test
    void a_line_inside_a_trace_has_its_trace_id() {
        captured.trace = new SpanContext(1, 2, 3, 1, "", false);
        log.info("hello");
        assertThat(captured.text()).endsWith("hello trace_id=00000000000000010000000000000002\n");
    }

    @Test
    void secrets_and_reserved_names_are_treated_as_in_the_other_formats() {
        log.info("hello", Fields.of("password", "x", "level", "y"));
        assertThat(captured.text()).endsWith("hello password=[redacted] extra.level=y\n");
    }

    @Test
    void the_largest_line_is_bounded() {
        Fields fields = new Fields();
        for (int i = 0; i < 300; i++) {
            fields.put("field" + i, "\u0000 ".repeat(100_000));
        }
        StackTraceElement[] frames = new StackTraceElement[1000];
        java.util.Arrays.fill(frames, new StackTraceElement("a".repeat(500), "b", "c", 1));
        Exception thrown = new Exception("\u0002".repeat(100_000));
        thrown.setStackTrace(frames);
        log.child(fields).error("\u0001".repeat(100_000), thrown, fields);
        assertThat(captured.size()).isLessThanOrEqualTo(64 * 1024);
        assertThat(captured.lines().get(0)).contains("…[+").contains(" truncated=");
    }
}
