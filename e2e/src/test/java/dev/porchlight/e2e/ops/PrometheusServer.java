// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Ports;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Prometheus server with the project's rules, which scrapes twice per second. */
final class PrometheusServer implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final int port;

    private PrometheusServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static PrometheusServer start(Path directory, int... targets) throws Exception {
        String prometheus = Requirements.program("prometheus");
        int port = Ports.free();
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
            global: {scrape_interval: 500ms, evaluation_interval: 500ms}
            rule_files: ["%s", "%s"]
            scrape_configs:
              - job_name: porchlight
                static_configs: [{targets: [%s]}]
            """.formatted(
                        OpsFiles.RULES, OpsFiles.ALERTS, addresses(targets)));
        Process process = new ProcessBuilder(
                        prometheus,
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
        return new PrometheusServer(process, port);
    }

    private static String addresses(int... ports) {
        return IntStream.of(ports).mapToObj(port -> "\"127.0.0.1:" + port + '"').collect(Collectors.joining(", "));
    }

    /** Returns the number of series that a query finds with a value other than NaN. */
    long count(String query) throws Exception {
        Map<?, ?> data = (Map<?, ?>) get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .get("data");
        return OpsFiles.maps(data.get("result"))
                .filter(series -> !"NaN".equals(((List<?>) series.get("value")).get(1)))
                .count();
    }

    /** What Prometheus holds of the health of each rule, by its name. */
    Map<?, ?> rules() throws Exception {
        return (Map<?, ?>) get("/api/v1/rules").get("data");
    }

    private Map<?, ?> get(String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        String body = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        Map<?, ?> response = OpsFiles.json(body);
        if (!"success".equals(response.get("status"))) {
            throw new IllegalStateException(body);
        }
        return response;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(Patience.SECONDS, TimeUnit.SECONDS).join();
    }
}
