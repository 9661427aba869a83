// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every slot is occupied by requests that wait for the test. */
@Tag("slow")
class OverloadTest {
    private static final int AT_ONCE = 5;
    private static final Limits SMALL = new Limits(
            65_536,
            8_192,
            new Limits.Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5), 1_024),
            8_192,
            100,
            8,
            Limits.BODY_BUDGET);

    private final CountDownLatch go = new CountDownLatch(1);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server = QuietServer.with(SMALL);
    private final List<CompletableFuture<HttpResponse<String>>> working = new ArrayList<>();

    @BeforeEach
    void takeEveryPlace() throws IOException {
        Router router = Router.builder(new AnyCaller())
                .get("/auth/passkey/login/options", Access.LOGIN_OPTIONS, this::slow)
                .post("/auth/passkey/login/finish", Access.LOGIN_FINISH, this::slow)
                .get("/health/live", Access.PROBE, exchange -> Response.of(204))
                .get("/metrics", Access.PROBE, exchange -> Response.of(204))
                .get("/console/api/samples", Access.CONSOLE, exchange -> Response.of(204))
                .get("/console/api/hung", Access.CONSOLE, this::slow)
                .build();
        server.listen("test", "127.0.0.1", 0, router, null).start();
        for (int i = 0; i < AT_ONCE; i++) {
            working.add(send(get("/auth/passkey/login/options")));
        }
        await().until(() -> server.handler.load().get("working") == AT_ONCE);
    }

    @AfterEach
    void stop() {
        go.countDown();
        server.stop(Duration.ofSeconds(10));
    }

    @Test
    void a_request_beyond_the_limit_is_refused_with_retry_after() throws Exception {
        HttpResponse<String> refused = send(get("/auth/passkey/login/options")).get();

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().map())
                .containsEntry("retry-after", List.of("1"))
                .containsEntry("content-type", List.of("application/problem+json"))
                .containsEntry("cache-control", List.of("no-store"));
        String id = refused.headers().firstValue("X-Correlation-ID").orElseThrow();
        assertThat(refused.body())
                .isEqualTo("{\"error\":\"The service is overloaded. Try again in a moment.\",\"code\":\"overloaded\","
                        + "\"status\":503,\"correlationId\":\"" + id + "\"}");
        assertThat(server.handler.shed()).containsEntry("late", 1L);
    }

    @Test
    void an_unread_body_does_not_corrupt_the_connection() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(uri("/auth/passkey/login/finish"))
                .POST(BodyPublishers.ofString("x".repeat(3_000)))
                .build();
        for (int i = 0; i < 5; i++) {
            assertThat(send(post).get().statusCode()).isEqualTo(503);
        }
    }

    @Test
    void load_alone_does_not_make_request_threads_unresponsive() throws Exception {
        assertThat(server.isResponsive(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void hanging_threads_are_unresponsive_until_released() throws Exception {
        for (int i = 0; i < 2 * SMALL.concurrency() + AT_ONCE; i++) {
            working.add(send(get("/console/api/hung")));
        }
        await().until(() -> !server.isResponsive(Duration.ofMillis(200)));
        go.countDown();
        assertThat(server.isResponsive(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void a_flood_does_not_wait_for_requests_in_progress() {
        List<CompletableFuture<HttpResponse<String>>> flood = Stream.generate(
                        () -> send(get("/auth/passkey/login/options")))
                .limit(200)
                .toList();

        assertThat(flood)
                .allSatisfy(refused -> assertThat(refused.get().statusCode()).isEqualTo(503));
        assertThat(server.handler.shed().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(200);
        assertThat(server.handler.load()).containsEntry("working", AT_ONCE).containsEntry("waiting", 0);
    }

    @Test
    void operator_routes_respond_under_overload() throws Exception {
        for (String path : List.of("/health/live", "/metrics", "/console/api/samples")) {
            assertThat(send(get(path)).get().statusCode()).isEqualTo(204);
        }
    }

    @Test
    void requests_are_accepted_again_after_the_overload() throws Exception {
        go.countDown();
        for (CompletableFuture<HttpResponse<String>> each : working) {
            assertThat(each.get().statusCode()).isEqualTo(200);
        }
        await().untilAsserted(() -> assertThat(server.handler.load()).containsEntry("working", 0));
        assertThat(send(get("/auth/passkey/login/options")).get().statusCode()).isEqualTo(200);
    }

    private Response slow(Exchange exchange) throws InterruptedException {
        go.await();
        return Response.of(200);
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(uri(path)).build();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port("test") + path);
    }
}
