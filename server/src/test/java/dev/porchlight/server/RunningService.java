// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.Router;
import dev.porchlight.support.Patience;
import dev.porchlight.support.ServiceLogs;
import dev.porchlight.testkit.files.FastDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The service on a free port in this process, its log lines, and a client for it. */
final class RunningService implements AutoCloseable {
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port;
    final App app;

    RunningService(Map<String, String> environment, Consumer<Router.Builder> more) throws Exception {
        Path data = FastDirectory.fresh();
        Map<String, String> variables = new HashMap<>(
                Map.of("PORT", "0", "DATA_DIR", data.toString(), "REQUEST_TIMEOUT_MS", Patience.REQUEST_TIMEOUT_MS));
        variables.putAll(environment);
        Timing usual = Timing.of(Clock.systemUTC());
        Timing timing = new Timing(
                usual.clock(),
                usual.nanoTime(),
                usual.databaseStart(),
                usual.sampling(),
                Duration.ZERO,
                usual.refusalWrites());
        app = App.start(Config.read(variables), LogWriter.to(lines), false, timing, more);
        port = app.port();
        ServiceLogs.add(this, () -> String.join("\n", lines()));
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + port + path);
    }

    @Override
    public String toString() {
        return "service on port " + port;
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    HttpResponse<String> send(String method, String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.method(method, HttpRequest.BodyPublishers.noBody()).build());
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
    }

    String metrics() throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create("http://localhost:" + app.managementPort() + "/metrics"))
                        .build())
                .body();
    }

    List<String> lines() {
        return lines.toString(UTF_8).lines().toList();
    }

    List<String> lines(String containing) {
        return lines().stream().filter(line -> line.contains(containing)).toList();
    }

    @Override
    public void close() {
        ServiceLogs.close(this);
        app.close();
    }
}
