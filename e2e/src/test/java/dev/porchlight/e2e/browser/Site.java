// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.operator.cli.Cli;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.support.Patience;
import dev.porchlight.support.ServiceLogs;
import dev.porchlight.testkit.files.FastDirectory;
import dev.porchlight.testkit.server.Ports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A complete service in this process with an empty data directory and the default configuration. */
final class Site implements AutoCloseable {
    /** The path of a page without content, whose scripts may call the service. */
    static final String EMPTY_PAGE = "/empty";

    private static final Response EMPTY = Response.of(200, "text/html", new byte[0])
            .with("Content-Security-Policy", "script-src 'self'; connect-src 'self'");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);

    private final ByteArrayOutputStream logs = new ByteArrayOutputStream();
    private final Map<String, String> variables;
    private final Map<String, Response> extraPages;
    private volatile Duration ahead = Duration.ZERO;
    private App app;

    private Site(Map<String, String> variables, Map<String, Response> extraPages) {
        this.variables = variables;
        this.extraPages = extraPages;
    }

    /** Starts a service. Variables are pairs of name and value. */
    static Site start(String... more) throws IOException {
        return start(Map.of(), more);
    }

    /** Starts a service with additional pages. */
    static Site start(Map<String, Response> extraPages, String... more) throws IOException {
        Map<String, String> variables = new HashMap<>(Map.of(
                "PORT",
                Integer.toString(Ports.free()),
                "DATA_DIR",
                FastDirectory.fresh().toString(),
                "REQUEST_TIMEOUT_MS",
                Patience.REQUEST_TIMEOUT_MS));
        Site site = new Site(variables, extraPages);
        site.set(more);
        site.start();
        return site;
    }

    /** Starts the service again after {@link #close()}, on the same port and data. */
    void start() throws IOException {
        try {
            app = App.start(Config.read(variables), LogWriter.to(logs), false, new SiteClock(), this::mount);
        } catch (InvalidConfigException e) {
            throw new IllegalArgumentException(e);
        }
        ServiceLogs.add(this, this::logs);
    }

    /** Restarts the service on the same port and data, with other variables. */
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
        routes.get(EMPTY_PAGE, Access.PUBLIC, exchange -> EMPTY);
        extraPages.forEach((path, response) -> routes.get(path, Access.PUBLIC, exchange -> response));
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

    /** Sends requests until the rate limit refuses one. */
    void exhaustRateLimit(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(origin() + path)).build();
        int status;
        do {
            status = HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } while (status != 429);
    }

    /** Runs an operator command on the service's data and returns its output. */
    String runCommand(String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = new Cli(variables, unused -> {}, new PrintWriter(out), new PrintWriter(err)).run(command);
        assertThat(status).as(err.toString()).isZero();
        return out.toString().strip();
    }

    /** Changes the service's database directly. */
    void updateDatabase(Consumer<Sql> work) {
        try (Database database =
                Database.open(DatabaseUrl.sqliteIn(Path.of(variables.get("DATA_DIR"))), 1, Patience.LIMIT)) {
            work.accept(new Sql(database.dataSource()));
        }
    }

    /** Sets the service's clock ahead of all others by this much, or behind if negative. */
    void setClockAhead(Duration time) {
        ahead = time;
    }

    /** The real time, unless the test moves it. */
    private final class SiteClock extends Clock {
        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("the service uses only UTC");
        }
    }

    /** Returns all log lines so far. */
    String logs() {
        return logs.toString(UTF_8);
    }

    @Override
    public void close() {
        ServiceLogs.close(this);
        app.close();
    }

    @Override
    public String toString() {
        return "service at " + origin();
    }

    /** Closes the service during the next test, because Jetty waits a second for idle browser connections. */
    void closeInBackground() {
        closing.join(); // fails if closing the previous service failed
        closing = CompletableFuture.runAsync(this::close);
    }
}
