// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Ports;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** promtool and a Prometheus server accept the service's metrics. */
@Tag("slow")
class PrometheusTest {
    private static final String AWKWARD = "a \"quoted\" \\ back\\slash\nand a line";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void promtool_accepts_a_live_scrape() throws Exception {
        String promtool = Requirements.program("promtool");
        try (App app = start()) {
            get(app.port(), "/health/ready");
            Path scrape = Files.writeString(directory.resolve("scrape"), get(app.port(), "/metrics"));
            Process check = new ProcessBuilder(promtool, "check", "metrics")
                    .redirectInput(scrape.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(check.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(check.exitValue()).as(output).isZero();
        }
    }

    @Test
    void prometheus_scrapes_the_service_and_keeps_every_label() throws Exception {
        String prometheus = Requirements.program("prometheus");
        try (App app = start()) {
            app.observability()
                    .metrics()
                    .counter("awkward_total")
                    .help("Special characters in labels.")
                    .labels("text")
                    .register()
                    .with(AWKWARD)
                    .inc();
            int port = Ports.free();
            Process process = scrape(prometheus, app, port, "exemplar-storage");
            try {
                await(port, "up{job=\"porchlight\"}", "\"1\"");
                await(port, "awkward_total", "\"value\"");
                await(port, "http_request_duration_seconds_bucket{route=\"/metrics\",le=\"1.0\"}", "\"value\"");
                Awaitility.await()
                        .untilAsserted(() -> assertThat(exemplars(port)).contains("\"trace_id\""));

                assertThat(query(port, "awkward_total")).contains("a \\\"quoted\\\" \\\\ back\\\\slash\\nand a line");
                assertThat(query(port, "process_heap_bytes")).contains("\"value\"");
                assertThat(query(port, "db_pool_connections")).contains("\"idle\"", "\"active\"", "\"waiting\"");
            } finally {
                process.destroy();
                process.waitFor(Patience.SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void prometheus_stores_native_histograms() throws Exception {
        String prometheus = Requirements.program("prometheus");
        try (App app = start()) {
            var waits = app.observability()
                    .metrics()
                    .histogram("waits_seconds")
                    .help("Waits.")
                    .buckets(1)
                    .register();
            int port = Ports.free();
            Process process = scrape(prometheus, app, port, "native-histograms,exemplar-storage");
            try {
                await(port, "histogram_count(waits_seconds)", "\"0\"]");
                for (double value : new double[] {0, 0.25, 0.25, 0.25, 4000}) {
                    waits.observe(value);
                }
                await(port, "histogram_count(waits_seconds)", "\"5\"]");
                await(port, "histogram_sum(waits_seconds)", "\"4000.75\"]");
                String median = query(port, "histogram_quantile(0.5, waits_seconds) > 0.22 <= 0.25");
                assertThat(median)
                        .as("within one of eight buckets per power of two")
                        .contains("\"value\"");
                await(port, "histogram_count(http_request_duration_seconds{route=\"/metrics\"})", "\"value\"");
                assertThat(query(port, "waits_seconds_bucket")).doesNotContain("\"value\"");
                assertThat(query(port, "process_heap_bytes")).contains("\"value\"");
            } finally {
                process.destroy();
                process.waitFor(Patience.SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private Process scrape(String prometheus, App app, int port, String features) throws Exception {
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
            global:
              scrape_interval: 200ms
            scrape_configs:
              - job_name: porchlight
                static_configs:
                  - targets: ["127.0.0.1:%d"]
            """.formatted(app.port()));
        return new ProcessBuilder(
                        prometheus,
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port,
                        "--enable-feature=" + features)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
    }

    private App start() throws Exception {
        // The endpoint is unreachable, but requests are still traced and leave exemplars.
        var variables = Map.of(
                "PORT", "0",
                "DATA_DIR", directory.resolve("data").toString(),
                "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
        return App.start(
                Config.read(Patience.variables(variables)),
                LogWriter.to(OutputStream.nullOutputStream()),
                false,
                routes -> {});
    }

    private static void await(int port, String expression, String expected) {
        Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(query(port, expression))
                        .as(get(port, "/api/v1/targets"))
                        .contains(expected));
    }

    private static String exemplars(int port) throws Exception {
        long now = System.currentTimeMillis() / 1_000;
        return get(
                port,
                "/api/v1/query_exemplars?query=http_request_duration_seconds_bucket&start=" + (now - 600) + "&end="
                        + (now + 600));
    }

    private static String query(int port, String expression) throws Exception {
        return get(port, "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    }

    private static String get(int port, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
