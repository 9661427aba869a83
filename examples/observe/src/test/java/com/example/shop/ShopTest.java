// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application as a process, with a collector and a Prometheus server. */
class ShopTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @TempDir
    static Path directory;

    private static Collector collector;
    private static Process process;
    private static int port;
    private static int internalPort;

    @BeforeAll
    static void start() throws IOException {
        collector = new Collector();
        port = freePort();
        internalPort = freePort();
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "com.example.shop.Shop");
        builder.environment()
                .putAll(Map.of(
                        "PORT", Integer.toString(port),
                        "INTERNAL_PORT", Integer.toString(internalPort),
                        "OTEL_EXPORTER_OTLP_ENDPOINT", collector.address(),
                        "OTEL_EXPORTER_OTLP_PROTOCOL", "http/json",
                        "OTEL_BSP_SCHEDULE_DELAY", "100"));
        process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> get(internalPort, "/health/ready").statusCode() == 200
                        && get(port, "/stock").statusCode() == 200);
    }

    @AfterAll
    static void stop() {
        process.destroy();
        process.onExit().join();
        collector.close();
    }

    @Test
    void an_order_is_one_trace_through_both_services_with_its_id_in_the_log() throws Exception {
        HttpResponse<String> response = get(port, "/orders", "traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.headers().firstValue("X-Correlation-ID")).isPresent();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(collector.spans(TRACE)).contains("GET /orders", "GET", "GET /stock"));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(Files.readAllLines(directory.resolve("log")))
                        .anyMatch(line -> line.startsWith("{")
                                && line.contains("\"message\":\"order accepted\"")
                                && line.contains("\"stock\":\"7\"")
                                && line.contains("\"trace_id\":\"" + TRACE + "\"")));
    }

    @Test
    void prometheus_scrapes_the_application() throws Exception {
        get(port, "/orders");
        try (Prometheus prometheus = new Prometheus(directory, internalPort)) {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(prometheus.query("orders_total{result=\"accepted\"}"))
                            .contains("\"job\":\"shop\""));
            assertThat(prometheus.query("http_requests_total{route=\"/orders\",status=\"201\"}"))
                    .contains("\"job\":\"shop\"");
        }
    }

    @Test
    void probes_and_the_page_are_on_the_internal_port_alone() throws Exception {
        assertThat(get(internalPort, "/health/ready").body()).contains("\"warehouse\":{\"status\":\"up\"");
        assertThat(get(internalPort, "/observe/").body()).contains("<title>");
        assertThat(get(port, "/metrics").statusCode()).isEqualTo(404);
        assertThat(get(port, "/observe/").statusCode()).isEqualTo(404);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static HttpResponse<String> get(int port, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
