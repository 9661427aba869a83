// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.operator.cli.Cli;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The whole service in this process, on an empty data directory and with the configuration it has by itself. */
final class Site implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);

    private final ByteArrayOutputStream logs = new ByteArrayOutputStream();
    private final Map<String, String> variables;
    private final Map<String, Response> foreign;
    private App app;

    private Site(Map<String, String> variables, Map<String, Response> foreign) {
        this.variables = variables;
        this.foreign = foreign;
    }

    /** Starts one; variables come in pairs of name and value. */
    static Site start(String... more) throws IOException {
        return start(Map.of(), more);
    }

    /** Starts one with further pages beside its own. */
    static Site start(Map<String, Response> foreign, String... more) throws IOException {
        Map<String, String> variables = new HashMap<>(Map.of(
                "PORT",
                Integer.toString(Ports.free()),
                "DATA_DIR",
                Files.createTempDirectory("site").toString()));
        Site site = new Site(variables, foreign);
        site.set(more);
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

    /** Starts it again where it was, with what it knew and other variables. */
    void restart(String... more) throws IOException {
        close();
        set(more);
        start();
    }

    private void set(String... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            variables.put(pairs[i], pairs[i + 1]);
        }
    }

    private void mount(Router.Builder routes) {
        foreign.forEach((path, answer) -> routes.get(path, Access.PUBLIC, exchange -> answer));
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

    /** Asks until it is told that this is too often. */
    void exhaust(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(origin() + path)).build();
        int status;
        do {
            status = HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } while (status != 429);
    }

    /** Runs a command of the operator's on the service's data, and returns what it printed. */
    String operator(String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new Cli(variables, unused -> {}, new PrintWriter(out), new PrintWriter(err)).run(command);
        assertThat(status).as(err.toString()).isZero();
        return out.toString().strip();
    }

    /** Runs something on the service's database behind its back. */
    void behindItsBack(Consumer<Sql> work) {
        try (Database database = Database.open(DatabaseUrl.sqliteIn(Path.of(variables.get("DATA_DIR"))), 1)) {
            work.accept(new Sql(database.dataSource()));
        }
    }

    /** Everything logged so far. */
    String logs() {
        return logs.toString(UTF_8);
    }

    @Override
    public void close() {
        app.close();
    }

    /** Closes it while the next test begins: Jetty gives the connections that a browser keeps open a second. */
    void closeInBackground() {
        closing.join(); // and fails here if the service before this one could not be closed
        closing = CompletableFuture.runAsync(this::close);
    }
}
