// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TelemetryHandlersTest {
    private final ObservedServer app = new ObservedServer();

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void all_endpoints_are_mounted_together() throws Exception {
        new TelemetryHandlers(app.observe.endpoints()).mount(app.server());
        app.observe.profiler().record("GET /\"x", 5);
        HttpResponse<String> metrics = app.get("/metrics");
        assertThat(metrics.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body()).contains("\nprocess_heap_bytes ");
        assertThat(app.get("/metrics", "Accept", "application/openmetrics-text;version=1.0.0")
                        .body())
                .endsWith("# EOF\n");
        assertThat(app.get("/health/live").body()).isEqualTo("{\"status\":\"ok\",\"checks\":{}}");
        assertThat(app.get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(app.get("/profile").body())
                .startsWith("{\"routes\":{\"GET /\\\"x\":{\"count\":1,\"meanMs\":5.0,\"p50Ms\":")
                .contains(",\"lastMinute\":{\"GET");
    }

    @Test
    void a_failed_check_is_a_503_that_says_when_to_retry() throws Exception {
        new TelemetryHandlers(app.observe.endpoints()).mount(app.server());
        app.observe.health().register("db", () -> CheckResult.down("gone"), CheckOptions.readiness());
        HttpResponse<String> response = app.get("/health/ready");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(response.body()).contains("\"db\"", "gone");
        assertThat(app.get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void a_scrape_is_compressed_if_the_scraper_accepts_it() throws Exception {
        app.server().createContext("/only", new TelemetryHandlers(app.observe.endpoints()).metrics());
        HttpResponse<byte[]> response = app.client.send(
                HttpRequest.newBuilder(app.uri("/only"))
                        .header("Accept-Encoding", "gzip")
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(response.headers().firstValue("Vary")).hasValue("Accept, Accept-Encoding");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes())
                .isNotEmpty();
        assertThat(app.get("/metrics").statusCode()).as("mounted apart").isEqualTo(404);
    }

    @Test
    void the_page_and_its_files_are_served_if_it_is_mounted() throws Exception {
        new TelemetryHandlers(app.observe.endpoints()).mount(app.server(), "/off");
        assertThat(app.get("/off/observe/").statusCode()).as("off by default").isEqualTo(404);
        new TelemetryHandlers(app.observe.endpoints().with(app.observe.page())).mount(app.server(), "/in");
        HttpResponse<String> page = app.get("/in/observe/");
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .startsWith("default-src 'none'; script-src 'self';")
                        .contains("frame-ancestors 'none'")
                        .doesNotContain("unsafe", "http"));
        Set<String> files = new TreeSet<>();
        linked(page.body(), files);
        assertThat(files).hasSize(10).contains("page.js", "plots.js", "texts.js", "plots.css");
        assertThat(app.get("/in/observe/StateSampler.class").statusCode()).isEqualTo(404);
        assertThat(app.get("/in/observe/../observe/package-info.class").statusCode())
                .isEqualTo(404);
        await().untilAsserted(() -> assertThat(app.get("/in/observe/samples/0").body())
                .contains("\"samples\":[{\"t\":")
                .contains("\"heap\":{"));
        assertThat(app.get("/in/observe/samples/99999999999999999").body()).contains("\"samples\":[]");
        assertThat(app.get("/in/observe/samples/-1").statusCode()).isEqualTo(404);
        assertThat(app.get("/in/observe/samples/").statusCode()).isEqualTo(404);
    }

    /** Loads the files that a file names, and those that they name. */
    private void linked(String content, Set<String> files) throws Exception {
        for (MatchResult found : Pattern.compile("[\"'](?:\\./)([a-z-]+\\.(?:js|css))[\"']")
                .matcher(content)
                .results()
                .toList()) {
            if (files.add(found.group(1))) {
                HttpResponse<String> file = app.get("/in/observe/" + found.group(1));
                assertThat(file.statusCode()).as(found.group(1)).isEqualTo(200);
                assertThat(file.body()).doesNotContain("innerHTML").startsWith("/");
                linked(file.body(), files);
            }
        }
    }

    @Test
    void only_get_and_head_of_the_exact_path_are_served() throws Exception {
        new TelemetryHandlers(app.observe.endpoints()).mount(app.server());
        assertThat(app.get("/metrics/x").statusCode()).isEqualTo(404);
        assertThat(app.get("/metricsx").statusCode()).isEqualTo(404);
        assertThat(method("POST").statusCode()).isEqualTo(405);
        HttpResponse<String> head = method("HEAD");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    private HttpResponse<String> method(String name) throws Exception {
        return app.client.send(
                HttpRequest.newBuilder(app.uri("/metrics"))
                        .method(name, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
