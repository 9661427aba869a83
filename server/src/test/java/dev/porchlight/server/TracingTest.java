// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    private final List<String> posts = new CopyOnWriteArrayList<>();
    private HttpServer collector;

    @BeforeEach
    void startCollector() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
                body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
            }
            posts.add(new String(body, UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stopCollector() {
        collector.stop(0);
    }

    @Test
    void a_request_continues_the_callers_trace_in_span_log_and_exemplar() throws Exception {
        try (RunningService service = start()) {
            service.get("/users/7?token=secret", "traceparent", "00-" + TRACE + "-" + PARENT + "-01");
            HttpResponse<String> metrics =
                    service.get("/metrics", "Accept", "application/openmetrics-text;version=1.0.0");
            assertThat(metrics.body()).contains("# {trace_id=\"" + TRACE + "\"");
            assertThat(service.lines("GET /users/{id} 200")).hasSize(1).allMatch(line -> line.contains(TRACE));
        }
        String sent = String.join("", posts);
        assertThat(sent)
                .contains("\"traceId\":\"" + TRACE + "\"")
                .contains("\"parentSpanId\":\"" + PARENT + "\"")
                .contains("\"name\":\"GET /users/{id}\"")
                .contains("\"kind\":2")
                .contains(attribute("http.request.method", "\"stringValue\":\"GET\""))
                .contains(attribute("http.route", "\"stringValue\":\"/users/{id}\""))
                .contains(attribute("url.path", "\"stringValue\":\"/users/{id}\""))
                .contains(attribute("url.scheme", "\"stringValue\":\"http\""))
                .contains(attribute("http.response.status_code", "\"intValue\":\"200\""))
                .contains(attribute("client.address", "\"stringValue\":\"127.0.0.1\""))
                .contains(attribute("network.protocol.version", "\"stringValue\":\"1.1\""))
                .contains("\"service.name\"")
                .contains("porchlight")
                .doesNotContain("secret");
    }

    @Test
    void an_exception_marks_the_span_as_failed_and_a_client_error_does_not() throws Exception {
        try (RunningService service = start()) {
            service.get("/nowhere");
            service.get("/throws");
        }
        String sent = String.join("", posts);
        assertThat(sent)
                .contains("\"name\":\"GET\"")
                .contains("\"name\":\"GET /throws\"")
                .contains(attribute("error.type", "\"stringValue\":\"java.lang.IllegalStateException\""))
                .contains("exception.stacktrace")
                .containsOnlyOnce("\"code\":2");
    }

    @Test
    void an_unmatched_path_is_not_in_the_span_or_log() throws Exception {
        try (RunningService service = start()) {
            service.get("/enroll/secret-in-the-path");
            service.send("SECRET", "/users/7");
            assertThat(service.lines("GET unmatched 404")).hasSize(1);
            assertThat(service.lines()).noneMatch(line -> line.contains("secret") || line.contains("SECRET /"));
        }
        assertThat(String.join("", posts))
                .contains(attribute("url.path", "\"stringValue\":\"unmatched\""))
                .doesNotContain("secret");
    }

    @Test
    void two_traceparent_headers_are_ignored() throws Exception {
        String header = "00-" + TRACE + "-" + PARENT + "-01";
        try (RunningService service = start()) {
            service.get("/users/7", "traceparent", header, "traceparent", header);
        }
        assertThat(String.join("", posts)).contains("GET /users/{id}").doesNotContain(TRACE);
    }

    private RunningService start() throws Exception {
        return new RunningService(
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://localhost:" + collector.getAddress().getPort(),
                        "OTEL_EXPORTER_OTLP_PROTOCOL",
                        "http/json"),
                routes -> {
                    routes.get("/users/{id}", Access.PUBLIC, exchange -> Response.of(200));
                    routes.get("/throws", Access.PUBLIC, exchange -> {
                        throw new IllegalStateException("broken");
                    });
                });
    }

    private static String attribute(String key, String value) {
        return "{\"key\":\"" + key + "\",\"value\":{" + value + "}}";
    }
}
