// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import static dev.porchlight.observe.http.ObservedServer.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.porchlight.observe.log.Fields;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TelemetryFilterTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    private final ObservedServer app = new ObservedServer();

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void a_request_has_a_correlation_id_a_span_a_count_a_profile_and_a_line() throws Exception {
        app.handle("/orders", exchange -> {
            app.telemetry.request(exchange).logger().info("listing orders");
            app.observe.logger().named("library").info("without the request's logger");
            app.observe.tracer().run("nested", () -> app.observe.logger().info("in a nested span"));
            app.observe.logger().info("own", Fields.of("correlationId", "abc-1"));
            respond(exchange, 200, "hello");
        });
        HttpResponse<String> response =
                app.get("/orders/7?secret=x", "traceparent", PARENT, CorrelationId.HEADER, "abc-1");
        assertThat(response.headers().firstValue(CorrelationId.HEADER)).hasValue("abc-1");
        await().untilAsserted(() -> assertThat(app.lines()).contains("GET /orders 200"));
        assertThat(app.lines().lines())
                .hasSize(5)
                .allMatch(line -> line.split("\"correlationId\":\"abc-1\"", -1).length == 2)
                .allMatch(line -> line.contains("\"trace_id\":\"" + TRACE + "\""))
                .noneMatch(line -> line.contains("secret"))
                .anyMatch(line -> line.contains("\"message\":\"listing orders\""))
                .anyMatch(line -> line.contains("\"route\":\"/orders\",\"status\":200")
                        && line.contains("\"bytes\":5")
                        && line.contains("\"client\":\"127.0.0.1\""));
        assertThat(app.metrics())
                .contains("http_requests_total{method=\"GET\",route=\"/orders\",status=\"200\"} 1\n")
                .contains("http_request_duration_seconds_count{method=\"GET\",route=\"/orders\",status=\"200\"} 1\n");
        assertThat(app.observe.profiler().statistics("GET /orders").count()).isEqualTo(1);
        assertThat(app.spans())
                .contains("\"name\":\"GET /orders\"", "\"parentSpanId\":\"b7ad6b7169203331\"", "/orders/7")
                .doesNotContain("secret");
    }

    @Test
    void an_unsafe_or_repeated_correlation_id_is_replaced() throws Exception {
        app.handle(
                "/",
                exchange ->
                        respond(exchange, 200, app.telemetry.request(exchange).correlationId()));
        for (String[] headers : new String[][] {
            {CorrelationId.HEADER, "a b"},
            {CorrelationId.HEADER, "x".repeat(129)},
            {CorrelationId.HEADER, "a", CorrelationId.HEADER, "b"}
        }) {
            HttpResponse<String> response = app.get("/", headers);
            assertThat(response.body()).matches("[0-9a-f]{32}");
            assertThat(response.headers().firstValue(CorrelationId.HEADER)).hasValue(response.body());
        }
        assertThat(CorrelationId.of(Collections.singletonList(null))).hasSize(32);
    }

    @Test
    void a_handler_that_finds_the_route_itself_sets_its_template() throws Exception {
        app.handle("/users", exchange -> {
            app.telemetry.request(exchange).template("/users/{id}");
            respond(exchange, 404, "");
        });
        app.get("/users/1");
        await().untilAsserted(() -> assertThat(app.metrics()).contains("route=\"/users/{id}\",status=\"404\"} 1\n"));
    }

    @Test
    void a_handler_that_throws_is_a_500_with_an_error_span_and_a_line() throws Exception {
        app.handle("/broken", exchange -> {
            throw new IllegalStateException("no stock");
        });
        assertThat(app.get("/broken").statusCode()).isEqualTo(500);
        await().untilAsserted(() -> assertThat(app.metrics()).contains("route=\"/broken\",status=\"500\"} 1\n"));
        assertThat(app.lines()).contains("\"message\":\"request failed\"", "no stock", "GET /broken 500");
        assertThat(app.spans()).contains("\"code\":2", "java.lang.IllegalStateException");
    }

    @Test
    void a_response_from_another_thread_ends_the_request() throws Exception {
        AtomicReference<HttpExchange> parked = new AtomicReference<>();
        app.handle("/later", parked::set);
        CompletableFuture<HttpResponse<Void>> response = app.client.sendAsync(
                java.net.http.HttpRequest.newBuilder(app.uri("/later")).build(),
                HttpResponse.BodyHandlers.discarding());
        await().until(() -> parked.get() != null);
        assertThat(app.lines()).isEmpty();
        respond(parked.get(), 202, "later");
        assertThat(response.get().statusCode()).isEqualTo(202);
        await().untilAsserted(() -> assertThat(app.lines()).contains("GET /later 202", "trace_id"));
        assertThatThrownBy(() -> app.telemetry.request(parked.get())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_request_whose_handler_closes_it_without_a_response_is_not_kept() throws Exception {
        AtomicReference<WeakReference<ObservedRequest>> dropped = new AtomicReference<>();
        app.handle("/drop", exchange -> {
            dropped.set(new WeakReference<>(app.telemetry.request(exchange)));
            exchange.close();
        });
        assertThatThrownBy(() -> app.get("/drop")).isInstanceOf(IOException.class);
        app.handle("/next", exchange -> respond(exchange, 200, ""));
        await().until(() -> {
            app.get("/next"); // the server's threads have another exchange in their hands
            System.gc();
            return dropped.get().get() == null;
        });
    }

    @Test
    void unknown_methods_share_one_label_and_google_clouds_field_is_written_there() throws Exception {
        try (ObservedServer cloud = new ObservedServer(Map.of("K_SERVICE", "shop"))) {
            cloud.handle("/", exchange -> respond(exchange, 200, ""));
            cloud.client.send(
                    java.net.http.HttpRequest.newBuilder(cloud.uri("/"))
                            .method("BREW", java.net.http.HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
            await().untilAsserted(
                            () -> assertThat(cloud.lines()).contains("\"httpRequest\":{\"requestMethod\":\"_OTHER\""));
            assertThat(cloud.metrics()).contains("method=\"_OTHER\",route=\"/\"");
            assertThat(cloud.spans()).contains("BREW");
        }
    }
}
