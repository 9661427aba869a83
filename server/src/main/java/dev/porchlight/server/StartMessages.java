// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.server.config.Config;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Startup messages of {@code serve}: URLs on a terminal, log lines elsewhere. Immutable. */
final class StartMessages {
    /** The directory of the documentation, set by the launcher. */
    private static final String DOCS_VARIABLE = "PORCHLIGHT_DOCS";

    private final App app;
    private final boolean terminal;
    private final Consumer<String> out;

    StartMessages(App app, boolean terminal, Consumer<String> out) {
        this.app = app;
        this.terminal = terminal;
        this.out = out;
    }

    void listening(Config config, Map<String, String> environment) {
        if (terminal) {
            out.accept("Porchlight is listening on " + app.url());
            whereToGo(config, environment).forEach(out);
        } else {
            log("Porchlight is listening: ");
        }
    }

    void ready() {
        if (terminal) {
            out.accept("Porchlight is ready. Stop it with Ctrl-C.");
        } else {
            log("Porchlight is ready: ");
        }
    }

    private void log(String message) {
        app.observability().logger().info(message + app.url(), Fields.of("url", app.url()));
    }

    private List<String> whereToGo(Config config, Map<String, String> environment) {
        String docs = environment.get(DOCS_VARIABLE);
        return List.of(
                "  Sign in  " + app.url() + "/",
                "  Console  "
                        + (config.adminEnabled()
                                ? app.managementUrl() + "/console"
                                : "disabled; set ADMIN_TOKEN to enable it"),
                "  Metrics  " + app.managementUrl() + "/metrics",
                "  Docs     " + (docs == null ? app.url() + "/openapi.json" : docs + "/README.md"));
    }
}
