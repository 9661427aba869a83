// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.slf4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.log.Thresholds;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.MarkerFactory;

class Slf4jProviderTest {
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Logger logger = new Logger(
            "test",
            Thresholds.parse("info,org.noisy=warn", complaint -> {}),
            new LogFormat.Json(),
            LogWriter.to(lines));

    @BeforeEach
    void install() {
        JdkLoggerFinder.install(logger);
    }

    @AfterEach
    void uninstall() {
        JdkLoggerFinder.uninstall(logger);
    }

    @Test
    void a_library_logs_through_our_logger() {
        LoggerFactory.getLogger("com.library")
                .warn("pool {} has {} of {}", "main", 3, 10, new IllegalStateException("x"));
        assertThat(lines.toString(UTF_8))
                .contains("\"level\":\"warn\"")
                .contains("\"logger\":\"com.library\"")
                .contains("\"message\":\"pool main has 3 of 10\"")
                .contains("IllegalStateException");
    }

    @Test
    void named_log_levels_apply_to_libraries() {
        org.slf4j.Logger noisy = LoggerFactory.getLogger("org.noisy.Thing");
        assertThat(noisy.isInfoEnabled()).isFalse();
        assertThat(noisy.isWarnEnabled()).isTrue();
        noisy.info("chatter");
        noisy.error("trouble");
        LoggerFactory.getLogger("org.quiet").debug("detail");
        LoggerFactory.getLogger("org.quiet").info("news");
        assertThat(lines.toString(UTF_8)).contains("trouble", "news").doesNotContain("chatter", "detail");
    }

    @Test
    void an_early_logger_uses_a_logger_installed_later() {
        org.slf4j.Logger library = LoggerFactory.getLogger("com.library");
        library.info("to the first");
        ByteArrayOutputStream others = new ByteArrayOutputStream();
        Logger other = new Logger(
                "other", Thresholds.parse("info", complaint -> {}), new LogFormat.Json(), LogWriter.to(others));
        JdkLoggerFinder.install(other);
        JdkLoggerFinder.uninstall(logger);
        library.info("to the second");
        JdkLoggerFinder.uninstall(other);
        assertThat(lines.toString(UTF_8)).contains("to the first").doesNotContain("second");
        assertThat(others.toString(UTF_8)).contains("to the second").doesNotContain("first");
    }

    @Test
    void the_mdc_key_value_pairs_and_markers_become_fields() {
        org.slf4j.Logger library = LoggerFactory.getLogger("com.library");
        MDC.put("tenant", "t1");
        MDC.pushByKey("steps", "one");
        try {
            library.info(MarkerFactory.getMarker("AUDIT"), "legacy {}", 1);
            library.atWarn()
                    .addMarker(MarkerFactory.getMarker("AUDIT"))
                    .addKeyValue("order", 4711)
                    .addArgument("x")
                    .setCause(new IllegalStateException("gone"))
                    .log("fluent {}");
        } finally {
            MDC.clear();
        }
        library.info("after");
        assertThat(lines.toString(UTF_8).lines().toList())
                .satisfiesExactly(
                        legacy -> assertThat(legacy)
                                .contains("\"message\":\"legacy 1\"", "\"tenant\":\"t1\"", "\"markers\":[\"AUDIT\"]"),
                        fluent -> assertThat(fluent)
                                .contains("\"message\":\"fluent x\"", "\"tenant\":\"t1\"", "\"order\":4711", "gone"),
                        after -> assertThat(after).doesNotContain("tenant"));
        assertThat(MDC.popByKey("steps")).isEqualTo("one");
    }

    @Test
    void the_marker_of_commons_logging_is_no_field() {
        LoggerFactory.getLogger("org.springframework").info(MarkerFactory.getMarker("COMMONS-LOGGING"), "started");
        assertThat(lines.toString(UTF_8)).contains("started").doesNotContain("markers");
    }

    @Test
    @SuppressWarnings("NullAway")
    void nulls_fail_no_log_call() {
        org.slf4j.Logger library = LoggerFactory.getLogger("com.library");
        MDC.put("tenant", null);
        try {
            library.warn(null);
            library.warn((org.slf4j.Marker) null, "{}", (Object) null);
            library.warn("{} {}", (Object[]) null);
            library.atWarn()
                    .addMarker(null)
                    .addKeyValue(null, (Object) null)
                    .setCause(null)
                    .log((String) null);
        } finally {
            MDC.clear();
        }
        assertThat(lines.toString(UTF_8).lines()).hasSize(4);
    }

    @Test
    void arguments_are_not_formatted_when_the_level_is_off() {
        Object argument = new Object() {
            @Override
            public String toString() {
                throw new AssertionError("formatted");
            }
        };
        LoggerFactory.getLogger("org.noisy").info("{}", argument);
        LoggerFactory.getLogger("org.noisy").atInfo().addKeyValue("k", argument).log("{}", argument);
        assertThat(lines.toString(UTF_8)).isEmpty();
    }

    @Test
    void repeated_warnings_are_held_back_if_the_application_wants_it() {
        JdkLoggerFinder.install(logger, pattern -> pattern.startsWith("first") ? 3 : -1);
        LoggerFactory.getLogger("com.library").warn("first {}", 1);
        LoggerFactory.getLogger("com.library").warn("again {}", 2);
        LoggerFactory.getLogger("com.library").info("again {}", 3);
        assertThat(lines.toString(UTF_8).lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).contains("first 1", "\"notLogged\":3"),
                        line -> assertThat(line).contains("again 3").doesNotContain("notLogged"));
    }
}
