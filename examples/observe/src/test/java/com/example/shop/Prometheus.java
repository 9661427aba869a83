// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A Prometheus server that scrapes an application. The test is skipped where none is installed. */
final class Prometheus implements AutoCloseable {
    private final Process process;
    private final int port;

    Prometheus(Path directory, int target) throws IOException {
        Path program = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "prometheus"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, "prometheus is not installed");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 200ms}
                scrape_configs:
                  - job_name: shop
                    static_configs: [{targets: ["localhost:%d"]}]
                """.formatted(target));
        process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
    }

    /** The response to a query; empty until the server has started. */
    String query(String expression) throws InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/query?query="
                + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException starting) {
            return "";
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
