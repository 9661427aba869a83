// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.trace.SpanContext;
import java.util.Map;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JulHandlerTest {
    private final Captured captured = new Captured();

    @BeforeEach
    void install() {
        JulHandler.install(captured.logger(
                new LogFormat.Json(), Thresholds.parse("info,org.noisy=warn,org.loud=debug", complaint -> {})));
    }

    @AfterEach
    void restore() throws Exception {
        LogManager.getLogManager().readConfiguration();
    }

    @Test
    void records_are_lines_with_name_level_trace_parameters_and_exception() {
        captured.trace = new SpanContext(1, 2, 3, 1, "", false);
        Logger log = Logger.getLogger("com.library");
        log.log(java.util.logging.Level.WARNING, "pool {0} has {1}", new Object[] {"main", 3});
        log.log(java.util.logging.Level.SEVERE, "broken {", new IllegalStateException("x"));
        assertThat(captured.lines()).hasSize(2);
        Map<String, Object> first = StrictJson.object(captured.lines().get(0));
        assertThat(first)
                .containsEntry("message", "pool main has 3")
                .containsEntry("level", "warn")
                .containsEntry("logger", "com.library")
                .containsEntry("trace_id", "00000000000000010000000000000002");
        assertThat(captured.lines().get(1)).contains("\"message\":\"broken {\"", "IllegalStateException", "\"error\"");
    }

    @Test
    void thresholds_apply_by_logger_name() {
        Logger.getLogger("org.noisy.Thing").info("chatter");
        Logger.getLogger("org.loud.Thing").fine("detail");
        Logger.getLogger("org.loud.Thing").finest("too much");
        Logger.getLogger("org.quiet").fine("hidden");
        Logger.getLogger("org.quiet").info("news");
        assertThat(captured.lines()).hasSize(2);
        assertThat(captured.text()).contains("detail", "\"level\":\"debug\"", "news");
        assertThat(Logger.getLogger("org.quiet").isLoggable(java.util.logging.Level.FINEST))
                .as("no record is created below the lowest threshold")
                .isFalse();
    }

    @Test
    void a_record_without_a_name_or_message_is_written() {
        JulHandler handler = new JulHandler(captured.logger(new LogFormat.Json()));
        handler.publish(null);
        handler.publish(new LogRecord(java.util.logging.Level.INFO, null));
        assertThat(captured.lines()).hasSize(1);
    }
}
