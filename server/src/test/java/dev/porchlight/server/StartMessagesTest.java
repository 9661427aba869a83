// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartMessagesTest {
    @TempDir
    Path data;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final List<String> lines = new ArrayList<>();

    @Test
    void a_terminal_shows_the_urls() throws Exception {
        String url = start(true, Map.of("PORCHLIGHT_DOCS", "/opt/porchlight/docs"));

        assertThat(lines)
                .containsExactly(
                        "Porchlight is listening on " + url,
                        "  Sign in  " + url + "/",
                        "  Console  " + url + "/console",
                        "  Metrics  " + url + "/metrics",
                        "  Docs     /opt/porchlight/docs/README.md",
                        "Porchlight is ready. Stop it with Ctrl-C.");
        assertThat(log.toString(UTF_8)).doesNotContain("Porchlight is");
    }

    @Test
    void a_terminal_shows_the_management_port_and_the_api_description() throws Exception {
        String url = start(true, Map.of("MANAGEMENT_PORT", "0"));

        assertThat(lines).contains("  Docs     " + url + "/openapi.json");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("  Console") || line.startsWith("  Metrics"))
                .hasSize(2)
                .noneMatch(line -> line.contains(url + "/"));
    }

    @Test
    void a_terminal_shows_how_to_turn_the_console_on() throws Exception {
        start(
                true,
                Map.of(
                        "RP_ID", "example.com",
                        "RP_ORIGIN", "https://example.com",
                        "SESSION_SECRET", Service.RANDOM_SECRET));

        assertThat(lines)
                .anyMatch(line -> line.startsWith("  Console  ")
                        && line.endsWith("/console for operators; add one with: porchlight operators add"));
    }

    @Test
    void the_log_gets_one_line_per_message_without_a_terminal() throws Exception {
        String url = start(false, Map.of());

        assertThat(lines).isEmpty();
        assertThat(log.toString(UTF_8).lines().filter(line -> line.contains("Porchlight is")))
                .hasSize(2)
                .allMatch(line -> line.contains("\"url\":\"" + url + '"'))
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"message\":\"Porchlight is listening: " + url),
                        second -> assertThat(second).contains("\"message\":\"Porchlight is ready: " + url));
    }

    @Test
    void a_service_closed_during_startup_never_becomes_ready() throws Exception {
        App app = App.start(config(Map.of("SVC_READINESS_DELAY_MS", "600000")), LogWriter.to(log), true, routes -> {});
        Thread close = new Thread(app::close);
        close.start();

        assertThat(app.awaitReady()).isFalse();
        close.join();
    }

    /** Starts and stops the service, and returns its URL. */
    private String start(boolean terminal, Map<String, String> variables) throws Exception {
        Config config = config(variables);
        try (App app = App.start(config, LogWriter.to(log), terminal, routes -> {})) {
            Consumer<String> out = terminal ? lines::add : null;
            Main.listening(app, config, variables.get("PORCHLIGHT_DOCS"), out);
            assertThat(app.awaitReady()).isTrue();
            Main.ready(app, out);
            return app.url();
        }
    }

    private Config config(Map<String, String> variables) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("PORT", "0", "DATA_DIR", data.toString()));
        environment.putAll(variables);
        return Config.read(environment);
    }
}
