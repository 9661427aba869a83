// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.wire.StackText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StackTextTest {
    @Test
    void thrown_exceptions_are_rendered_with_causes_suppressed_and_folded_frames() {
        Exception root = new IllegalArgumentException("root", new RuntimeException("cause\nof two lines"));
        root.addSuppressed(new Exception("suppressed", new Error("its cause")));
        assertThat(StackText.of(new IllegalStateException("top", root)).text())
                .startsWith("java.lang.IllegalStateException: top\n\tat "
                        + getClass().getName() + ".thrown_exceptions")
                .contains("\nCaused by: java.lang.IllegalArgumentException: root\n\tat ", "\t... ", " more\n")
                .contains("\n\tSuppressed: java.lang.Exception: suppressed\n")
                .contains("\n\tCaused by: java.lang.Error: its cause\n")
                .contains("\nCaused by: java.lang.RuntimeException: cause\nof two lines\n");
    }

    @Test
    void exceptions_with_few_frames_are_rendered_completely() {
        Exception cause = framed(new Exception("cause"), "a.Deep", "a.Mid", "a.Main");
        Exception thrown = framed(new Exception("top", cause), "a.Mid", "a.Main");
        thrown.addSuppressed(framed(new Exception("closing"), "a.Close", "a.Main"));
        StringWriter printed = new StringWriter();
        thrown.printStackTrace(new PrintWriter(printed));
        assertThat(StackText.of(thrown).text()).isEqualTo(printed.toString().replace(System.lineSeparator(), "\n"));
    }

    @Test
    void cyclic_causes_are_cut() {
        Exception first = new Exception("first");
        Exception second = new Exception("second", first);
        first.initCause(second);
        second.addSuppressed(first);
        assertThat(StackText.of(first).text()).contains("second").contains("java.lang.Exception: first [cycle]\n");
    }

    @Test
    void exceptions_show_at_most_100_frames() {
        Exception deep = framed(new Exception("deep"), frames("a.Deep", 1000));
        StackText stack = StackText.of(deep);
        assertThat(stack.text().lines().filter(line -> line.startsWith("\tat ")))
                .hasSize(100);
        assertThat(stack.text()).endsWith("\t... 900 more\n");
    }

    @Test
    void frames_are_reserved_for_causes() {
        Exception cause = framed(new Exception("cause"), frames("a.Cause", 1000));
        Exception thrown = framed(new Exception("top", cause), frames("a.Top", 1000));
        StackText stack = StackText.of(thrown);
        assertThat(stack.text().lines().filter(line -> line.contains("a.Top"))).hasSize(50);
        assertThat(stack.text().lines().filter(line -> line.contains("a.Cause")))
                .hasSize(50);
        assertThat(stack.frames()).isEqualTo(100);
    }

    @Test
    void frames_are_reserved_for_suppressed_exceptions_and_causes() {
        Exception cause = framed(new Exception("cause"), frames("a.Cause", 1000));
        Exception thrown = framed(new Exception("top", cause), frames("a.Top", 1000));
        thrown.addSuppressed(framed(new Exception("closing"), frames("a.Close", 1000)));
        StackText stack = StackText.of(thrown);
        assertThat(stack.text().lines().filter(line -> line.contains("a.Top"))).hasSize(50);
        assertThat(stack.text().lines().filter(line -> line.contains("a.Close")))
                .hasSize(25);
        assertThat(stack.text().lines().filter(line -> line.contains("a.Cause")))
                .hasSize(25);
    }

    @Test
    void exceptions_use_at_most_32_kib_of_a_line() {
        Captured captured = new Captured();
        captured.json().info("hello", framed(new Exception("m".repeat(100_000)), frames("c".repeat(900), 100)));
        String stack = (String) captured.object().get("stack_trace");
        assertThat(stack.length()).isBetween(32 * 1024 - 300, 32 * 1024 + 20);
        assertThat(stack).contains("m…[+").contains("\tat cccc").matches("(?s).*…\\[\\+[0-9]+]");
    }

    @Test
    void endless_causes_are_cut() {
        Exception chain = new Exception("0");
        for (int i = 1; i < 5000; i++) {
            chain = new Exception(String.valueOf(i), chain);
        }
        assertThat(StackText.of(chain).text()).contains("… further throwables omitted\n");
    }

    @Test
    void an_exception_whose_methods_throw_is_still_named() {
        Exception rude = new Exception() {
            @Override
            public String getMessage() {
                throw new IllegalStateException();
            }
        };
        Captured captured = new Captured();
        captured.json().error("hello", rude);
        assertThat(captured.text())
                .contains(
                        "\"stack_trace\":\"" + rude.getClass().getName() + ": !error: java.lang.IllegalStateException");
        captured.object();
    }

    @Test
    void an_exception_whose_frames_are_unavailable_is_still_named() {
        Exception rude = new Exception("rude") {
            @Override
            public StackTraceElement[] getStackTrace() {
                throw new UnsupportedOperationException();
            }
        };
        assertThat(StackText.of(rude).text()).endsWith("rude\n!error: java.lang.UnsupportedOperationException");
    }

    @Test
    void the_hash_is_equal_for_the_same_stack_with_other_messages_and_lines() {
        Exception one = framed(new Exception("user 1"), "a.B", "a.C$$Lambda$14");
        Exception two = framed(new Exception("user 2"), "a.B", "a.C$$Lambda$27");
        two.setStackTrace(Arrays.stream(two.getStackTrace())
                .map(frame -> new StackTraceElement(frame.getClassName(), frame.getMethodName(), "Other.java", 99))
                .toArray(StackTraceElement[]::new));
        assertThat(StackText.of(one).hash()).isEqualTo(StackText.of(two).hash());
    }

    @Test
    void the_hash_differs_for_another_stack() {
        Exception one = framed(new Exception("m"), "a.B");
        assertThat(StackText.of(one).hash())
                .isNotEqualTo(StackText.of(framed(new Exception("m"), "a.C")).hash())
                .isNotEqualTo(
                        StackText.of(framed(new RuntimeException("m"), "a.B")).hash())
                .isNotEqualTo(
                        StackText.of(framed(new Exception("m", one), "a.B")).hash());
    }

    private static String[] frames(String name, int count) {
        String[] classes = new String[count];
        Arrays.setAll(classes, i -> name + i);
        return classes;
    }

    private static <T extends Throwable> T framed(T thrown, String... classes) {
        thrown.setStackTrace(Arrays.stream(classes)
                .map(name -> new StackTraceElement(name, "run", "File.java", 7))
                .toArray(StackTraceElement[]::new));
        return thrown;
    }
}
