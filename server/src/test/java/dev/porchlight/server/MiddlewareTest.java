// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MiddlewareTest {
    private static RunningService service;

    @BeforeAll
    static void start() throws Exception {
        service = new RunningService(Map.of(), MiddlewareTest::mount);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void mount(Router.Builder routes) {
        routes.get("/state", Access.PUBLIC, exchange -> {
            ((Logger) exchange.state("logger")).info("from the handler");
            return text(String.valueOf(exchange.state("correlationId")));
        });
        routes.get(
                "/users/{id}/keys/{key}",
                Access.PUBLIC,
                exchange -> text(exchange.pathParameter("id") + "|" + exchange.pathParameter("key")));
        routes.get("/users/me/keys/all", Access.PUBLIC, exchange -> text("literal"));
        routes.get("/query", Access.PUBLIC, exchange -> text(String.valueOf(exchange.queryParameter("userId"))));
        routes.post("/echo", Access.PUBLIC, exchange -> Response.json(201, exchange.jsonText()));
        routes.add(Method.PATCH, "/echo", Access.PUBLIC, exchange -> Response.of(204));
        routes.get("/throws", Access.PUBLIC, exchange -> {
            throw new IllegalStateException("the database password is hunter2");
        });
        routes.get("/overflows", Access.PUBLIC, MiddlewareTest::overflow);
        routes.get("/refuses", Access.PUBLIC, exchange -> {
            throw new ProblemException(new Problem(409, "credential_exists", "There is one already", "Use another"));
        });
    }

    @Test
    void a_valid_correlation_id_is_echoed_stored_and_logged() throws Exception {
        HttpResponse<String> response = service.get("/state", "X-Correlation-ID", "order-66:a/b_c.d+e=@");
        assertThat(response.body()).isEqualTo("order-66:a/b_c.d+e=@");
        assertThat(response.headers().firstValue("X-Correlation-ID")).hasValue("order-66:a/b_c.d+e=@");
        await().until(() ->
                service.lines("\"correlationId\":\"order-66:a/b_c.d+e=@\"").size() == 2);
        assertThat(service.lines("\"correlationId\":\"order-66:a/b_c.d+e=@\""))
                .allMatch(line -> line.contains("\"correlationIdClaimed\":true"))
                .anyMatch(line -> line.contains("from the handler"))
                .anyMatch(line -> line.contains("GET /state 200"));
    }

    @Test
    void a_request_without_a_correlation_id_gets_a_new_one() throws Exception {
        String one = service.get("/state").body();
        String other = service.get("/state").body();
        assertThat(one).matches("[0-9a-f]{32}").isNotEqualTo(other);
        assertThat(other).matches("[0-9a-f]{32}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "<script>", "\"}{", "ä", "", "x;y"})
    void an_unprintable_correlation_id_is_replaced(String id) throws Exception {
        HttpResponse<String> response = service.get("/state", "X-Correlation-ID", id);
        assertThat(response.headers().firstValue("X-Correlation-ID").orElse("")).matches("[0-9a-f]{32}");
    }

    @Test
    void a_long_or_duplicate_correlation_id_is_replaced() throws Exception {
        assertThat(service.get("/state", "X-Correlation-ID", "x".repeat(128)).body())
                .hasSize(128);
        assertThat(service.get("/state", "X-Correlation-ID", "x".repeat(129)).body())
                .hasSize(32);
        assertThat(service.get("/state", "X-Correlation-ID", "one", "X-Correlation-ID", "two")
                        .body())
                .hasSize(32);
    }

    @Test
    void a_throwing_handler_is_counted_as_500() throws Exception {
        HttpResponse<String> response = service.get("/throws", "X-Correlation-ID", "throws-1");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body())
                .isEqualTo(
                        "{\"error\":\"Internal server error. Try again in a moment.\",\"code\":\"internal_error\",\"status\":500,"
                                + "\"correlationId\":\"throws-1\"}");
        awaitCount("http_requests_total{method=\"GET\",route=\"/throws\",status=\"500\"} 1");
        assertThat(service.metrics()).doesNotContain("route=\"/throws\",status=\"200\"");
        assertThat(service.lines("throws-1"))
                .anyMatch(
                        line -> line.contains("request failed") && line.contains("IllegalStateException: the database"))
                .anyMatch(line -> line.contains("GET /throws 500"));
    }

    @Test
    void a_handler_that_throws_an_error_gets_a_response_and_is_counted() throws Exception {
        assertThat(service.get("/overflows").statusCode()).isEqualTo(500);
        awaitCount("http_requests_total{method=\"GET\",route=\"/overflows\",status=\"500\"} 1");
    }

    @Test
    void a_refusal_is_a_problem_with_its_code() throws Exception {
        HttpResponse<String> response = service.get("/refuses", "X-Correlation-ID", "r1");
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(response.body())
                .isEqualTo("{\"error\":\"There is one already\",\"code\":\"credential_exists\",\"status\":409,"
                        + "\"correlationId\":\"r1\",\"detail\":\"Use another\"}");
        awaitCount("http_requests_total{method=\"GET\",route=\"/refuses\",status=\"409\"} 1");
    }

    @Test
    void unmatched_paths_share_one_label_and_return_problems() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> response = service.get("/invented/" + i);
            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(response.body()).contains("\"code\":\"not_found\"");
        }
        await().untilAsserted(() -> assertThat(service.metrics())
                .containsPattern(
                        "http_requests_total\\{method=\"GET\",route=\"unmatched\",status=\"404\"} [2-9][0-9]\n")
                .doesNotContain("invented"));
        assertThat(service.app.observability().profiler().statistics().keySet())
                .contains("GET unmatched")
                .noneMatch(route -> route.contains("invented"));
    }

    @Test
    void the_route_label_is_the_template() throws Exception {
        assertThat(service.get("/users/a%20b/keys/x%2Dy").body()).isEqualTo("a b|x-y");
        assertThat(service.get("/users/2/keys/k").body()).isEqualTo("2|k");
        assertThat(service.get("/users/me/keys/all").body()).isEqualTo("literal");
        assertThat(service.get("/users//keys/k").statusCode()).isIn(400, 404);
        awaitCount("http_requests_total{method=\"GET\",route=\"/users/{id}/keys/{key}\",status=\"200\"} 2");
        assertThat(service.metrics())
                .contains(
                        "http_request_duration_seconds_count{method=\"GET\",route=\"/users/{id}/keys/{key}\",status=\"200\"} 2");
        assertThat(service.app
                        .observability()
                        .profiler()
                        .statistics("GET /users/{id}/keys/{key}")
                        .count())
                .isEqualTo(2);
    }

    @Test
    void a_405_lists_the_allowed_methods() throws Exception {
        HttpResponse<String> response = service.send("DELETE", "/echo");
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("POST, PATCH");
        assertThat(service.send("POST", "/state").headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    @Test
    void invented_methods_share_one_label() throws Exception {
        for (String method : List.of("FOO", "BAR", "get")) {
            assertThat(service.send(method, "/state").statusCode()).isEqualTo(405);
        }
        awaitCount("http_requests_total{method=\"_OTHER\",route=\"/state\",status=\"405\"} 3");
        assertThat(service.metrics()).doesNotContain("FOO").doesNotContain("method=\"get\"");
    }

    @Test
    void json_is_read_and_anything_else_is_refused_with_415() throws Exception {
        assertThat(post("application/json", "{\"a\":1}").body()).isEqualTo("{\"a\":1}");
        assertThat(post("application/json; charset=UTF-8", "{}").statusCode()).isEqualTo(201);
        for (String type :
                List.of("text/plain", "application/x-www-form-urlencoded", "application/json;charset=utf-16")) {
            HttpResponse<String> refused = post(type, "{}");
            assertThat(refused.statusCode()).isEqualTo(415);
            assertThat(refused.body()).contains("\"code\":\"unsupported_media_type\"");
        }
        assertThat(service.send("POST", "/echo").statusCode()).isEqualTo(415);
    }

    @Test
    void an_oversized_body_is_refused_with_413_with_and_without_a_length() throws Exception {
        assertThat(post("application/json", "x".repeat(65_536)).statusCode()).isEqualTo(201);
        assertThat(post("application/json", "x".repeat(65_537)).body()).contains("\"code\":\"body_too_large\"");
        byte[] large = "x".repeat(80_000).getBytes(UTF_8);
        HttpRequest chunked = HttpRequest.newBuilder(service.uri("/echo"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))
                .build();
        assertThat(service.send(chunked).statusCode()).isEqualTo(413);
    }

    @Test
    void a_malformed_or_ambiguous_query_is_refused_with_400() throws Exception {
        assertThat(service.get("/query").body()).isEqualTo("null");
        assertThat(service.get("/query?userId=a%20b&other=1").body()).isEqualTo("a b");
        assertThat(service.get("/query?userId=a&userId=b").statusCode()).isEqualTo(400);
        assertThat(service.get("/query?userId=%ff%fe").statusCode()).isEqualTo(400);
    }

    @Test
    void the_access_log_has_one_line_per_request_without_the_query() throws Exception {
        service.get("/query?userId=secret-user", "X-Correlation-ID", "access-1", "User-Agent", "probe/1");
        await().until(() -> service.lines("access-1").size() == 1);
        assertThat(service.lines("access-1").get(0))
                .contains("\"message\":\"GET /query 200\"")
                .contains("\"method\":\"GET\"")
                .contains("\"route\":\"/query\"")
                .contains("\"status\":200")
                .contains("\"durationMs\":")
                .contains("\"userAgent\":\"probe/1\"")
                .doesNotContain("secret-user");
    }

    private static HttpResponse<String> post(String type, String body) throws Exception {
        return service.send(HttpRequest.newBuilder(service.uri("/echo"))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    /** Requests are counted shortly after the client has the response. */
    private static void awaitCount(String line) {
        await().untilAsserted(() -> assertThat(service.metrics()).contains(line + "\n"));
    }

    private static Response text(String text) {
        return Response.of(200, "text/plain; charset=utf-8", text.getBytes(UTF_8));
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private static Response overflow(Exchange exchange) {
        return overflow(exchange);
    }
}
