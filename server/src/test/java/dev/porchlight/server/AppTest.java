// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import dev.porchlight.support.Patience;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class AppTest {
    @Test
    void liveness_and_readiness_run_their_own_checks() throws Exception {
        try (RunningService service = new RunningService(Map.of(), routes -> {})) {
            service.app.observability().health().register("loop", CheckResult::up, CheckOptions.liveness());
            service.app.observability().health().register("upstream", () -> CheckResult.down("gone"));
            HttpResponse<String> live = service.get("/health/live");
            assertThat(live.statusCode()).isEqualTo(200);
            assertThat(live.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(live.headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(live.body())
                    .matches("\\{\"status\":\"ok\",\"checks\":\\{" + up("request_threads") + ',' + up("deadlocks") + ','
                            + up("loop") + "}}");
            HttpResponse<String> ready = service.get("/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(ready.body()).startsWith("{\"status\":\"degraded\"").contains("\"error\":\"gone\"");
        }
    }

    private static String up(String check) {
        return "\"" + check + "\":\\{\"status\":\"up\",\"durationMs\":[0-9.]+}";
    }

    @Test
    void readiness_is_degraded_during_the_startup_delay_and_reports_the_remaining_time() throws Exception {
        try (RunningService service = new RunningService(Map.of("SVC_READINESS_DELAY_MS", "90000"), routes -> {})) {
            HttpResponse<String> early = service.get("/health/ready");
            assertThat(early.statusCode()).isEqualTo(503);
            assertThat(early.body())
                    .matches("\\{\"status\":\"degraded\",\"remainingMs\":[0-9]{1,5},\"checks\":\\{.*}}");
            assertThat(early.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isBetween(1L, 90L);
            assertThat(service.get("/health/live").statusCode()).isEqualTo(200);
        }
        try (RunningService service = new RunningService(Map.of("SVC_READINESS_DELAY_MS", "500"), routes -> {})) {
            await().until(() -> service.get("/health/ready").statusCode() == 200);
            assertThat(service.get("/health/ready").body()).doesNotContain("remainingMs");
        }
    }

    @Test
    void check_details_are_visible_to_operators_only() throws Exception {
        Map<String, String> open = Map.of("HOST", "0.0.0.0", "SHUTDOWN_DELAY_MS", "0");
        try (RunningService service = new RunningService(open, routes -> {})) {
            service.app.observability().health().register("upstream", () -> CheckResult.down("10.0.0.7 refused"));
            assertThat(service.get("/health/ready").body()).contains("\"down\"").doesNotContain("10.0.0.7");
        }
        Map<String, String> behindProxy = Map.of(
                "RP_ID", "example.com", "RP_ORIGIN", "https://example.com", "SESSION_SECRET", Service.RANDOM_SECRET);
        try (RunningService service = new RunningService(behindProxy, routes -> {})) {
            service.app.observability().health().register("upstream", () -> CheckResult.down("10.0.0.7 refused"));
            assertThat(service.get("/health/ready").body()).contains("\"down\"").doesNotContain("10.0.0.7");
        }
        Map<String, String> split = Map.of("HOST", "0.0.0.0", "SHUTDOWN_DELAY_MS", "0", "MANAGEMENT_PORT", "0");
        try (RunningService service = new RunningService(split, routes -> {})) {
            service.app.observability().health().register("upstream", () -> CheckResult.down("10.0.0.7 refused"));
            assertThat(management(service, "/health/ready").body()).contains("10.0.0.7");
        }
    }

    @Test
    void a_management_port_removes_metrics_health_and_administration_from_the_public_port() throws Exception {
        try (RunningService service = new RunningService(
                Map.of("MANAGEMENT_PORT", "0"),
                routes -> routes.get("/hello", Access.PUBLIC, exchange -> Response.of(204)))) {
            assertThat(service.app.managementPort()).isNotEqualTo(service.app.port());
            assertThat(service.get("/metrics").statusCode()).isEqualTo(404);
            assertThat(service.get("/health/live").statusCode()).isEqualTo(404);
            assertThat(service.get("/hello").statusCode()).isEqualTo(204);
            assertThat(management(service, "/metrics").statusCode()).isEqualTo(200);
            assertThat(management(service, "/health/live").statusCode()).isEqualTo(200);
            assertThat(service.get("/admin/request").statusCode()).isEqualTo(404);
            assertThat(management(service, "/admin/request").statusCode()).isNotEqualTo(404);
            assertThat(management(service, "/hello").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void metrics_honor_the_accept_headers() throws Exception {
        try (RunningService service = new RunningService(Map.of(), routes -> {})) {
            HttpResponse<String> text = service.get("/metrics");
            assertThat(text.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(text.headers().firstValue("Vary")).hasValue("Accept, Accept-Encoding");
            assertThat(text.body())
                    .contains("# TYPE http_requests_total counter")
                    .doesNotContain("# EOF");

            HttpResponse<String> open = service.get("/metrics", "Accept", "application/openmetrics-text;version=1.0.0");
            assertThat(open.headers().firstValue("Content-Type"))
                    .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(open.body()).endsWith("# EOF\n");

            HttpRequest zipped = HttpRequest.newBuilder(service.uri("/metrics"))
                    .header("Accept-Encoding", "gzip")
                    .build();
            HttpResponse<byte[]> gzip =
                    HttpClient.newHttpClient().send(zipped, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(gzip.headers().firstValue("Content-Encoding")).hasValue("gzip");
            byte[] plain = new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes();
            assertThat(new String(plain, UTF_8)).contains("process_heap_bytes ");

            HttpResponse<String> head = service.send("HEAD", "/metrics");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(head.headers().firstValueAsLong("Content-Length").orElse(0))
                    .isPositive();
        }
    }

    @Test
    void a_running_request_completes_while_readiness_reports_draining() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        RunningService service = new RunningService(
                Map.of("SHUTDOWN_DELAY_MS", "6000"),
                routes -> routes.get("/slow", Access.PUBLIC, exchange -> {
                    started.countDown();
                    release.await();
                    return Response.of(200, "text/plain", "done".getBytes(UTF_8));
                }));
        CompletableFuture<HttpResponse<String>> slow = HttpClient.newHttpClient()
                .sendAsync(HttpRequest.newBuilder(service.uri("/slow")).build(), HttpResponse.BodyHandlers.ofString());
        started.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(service::close);
        HttpResponse<String> ready =
                await().until(() -> service.get("/health/ready"), response -> response.statusCode() == 503);
        assertThat(ready.body()).contains("\"draining\":true");
        assertThat(ready.headers().firstValue("Connection")).hasValue("close");
        assertThat(closing).isNotDone();
        release.countDown();
        assertThat(slow.get(Patience.SECONDS, TimeUnit.SECONDS).body()).isEqualTo("done");
        closing.get(Patience.SECONDS, TimeUnit.SECONDS);
        assertThatThrownBy(() -> service.get("/health/live")).isInstanceOf(ConnectException.class);
        assertThat(service.lines("\"message\":\"stopped\"")).hasSize(1);
        assertThat(service.lines("GET /slow 200")).hasSize(1);
    }

    @Test
    void a_hanging_request_is_aborted_at_the_shutdown_deadline() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        RunningService service = new RunningService(
                Map.of("SHUTDOWN_TIMEOUT_MS", "200"),
                routes -> routes.get("/endless", Access.PUBLIC, exchange -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                    return Response.of(200);
                }));
        CompletableFuture<HttpResponse<String>> endless = HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(service.uri("/endless")).build(), HttpResponse.BodyHandlers.ofString());
        started.await();
        service.close();
        assertThat(service.lines("aborted requests that were still in progress"))
                .hasSize(1);
        assertThat(endless).failsWithin(Patience.LIMIT);
    }

    @Test
    void a_port_in_use_is_named_in_the_error() throws Exception {
        try (RunningService service = new RunningService(Map.of(), routes -> {})) {
            Config same = Config.read(Map.of("PORT", Integer.toString(service.app.port())));
            LogWriter nowhere = LogWriter.to(OutputStream.nullOutputStream());
            assertThatThrownBy(() -> App.start(same, nowhere, false, routes -> {}))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("PORT is " + service.app.port() + ", which cannot be opened on 127.0.0.1");
            Config management =
                    Config.read(Map.of("PORT", "0", "MANAGEMENT_PORT", Integer.toString(service.app.port())));
            assertThatThrownBy(() -> App.start(management, nowhere, false, routes -> {}))
                    .isInstanceOf(InvalidConfigException.class)
                    .hasMessageContaining("MANAGEMENT_PORT is " + service.app.port());
        }
    }

    @Test
    void a_host_of_another_machine_is_named_in_the_error() throws Exception {
        Config elsewhere = Config.read(Map.of("PORT", "0", "HOST", "192.0.2.1"));
        LogWriter nowhere = LogWriter.to(OutputStream.nullOutputStream());
        assertThatThrownBy(() -> App.start(elsewhere, nowhere, false, routes -> {}))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("HOST is 192.0.2.1, which is not an address of this machine");
    }

    private static HttpResponse<String> management(RunningService service, String path) throws Exception {
        return service.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + service.app.managementPort() + path))
                        .build());
    }
}
