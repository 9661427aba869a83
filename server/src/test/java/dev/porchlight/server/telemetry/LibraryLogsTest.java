// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

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

class LibraryLogsTest {
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
}
