// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;

/** The whole service in this process, on an empty data directory and with the configuration it has by itself. */
final class Site implements AutoCloseable {
    private final ByteArrayOutputStream logs = new ByteArrayOutputStream();
    private final Map<String, String> variables;
    private final Map<String, Answer> foreign;
    private App app;

    private Site(Map<String, String> variables, Map<String, Answer> foreign) {
        this.variables = variables;
        this.foreign = foreign;
    }

    /** Starts one; variables come in pairs of name and value. */
    static Site start(String... more) throws IOException {
        return start(Map.of(), more);
    }

    /** Starts one with further pages beside its own. */
    static Site start(Map<String, Answer> foreign, String... more) throws IOException {
        Map<String, String> variables = new HashMap<>(Map.of(
                "PORT",
                Integer.toString(freePort()),
                "DATA_DIR",
                Files.createTempDirectory("site").toString()));
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        Site site = new Site(variables, foreign);
        site.start();
        return site;
    }

    /** Starts it again after {@link #close()}, where it was and with what it knew. */
    void start() throws IOException {
        try {
            app = App.start(Config.read(variables), LogWriter.to(logs), false, this::mount);
        } catch (InvalidConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void mount(Router.Builder routes) {
        foreign.forEach((path, answer) -> routes.get(path, exchange -> answer));
    }

    int port() {
        return app.port();
    }

    String origin() {
        return "http://localhost:" + port();
    }

    String managementOrigin() {
        return "http://localhost:" + app.managementPort();
    }

    /** Everything logged so far. */
    String logs() {
        return logs.toString(UTF_8);
    }

    @Override
    public void close() {
        app.close();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
