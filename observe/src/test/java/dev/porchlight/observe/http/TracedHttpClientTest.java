// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.http;

import static dev.porchlight.observe.http.ObservedServer.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.observe.trace.Tracer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TracedHttpClientTest {
    private final ObservedServer app = new ObservedServer();
    private final HttpClient client = new TracedHttpClient(app.client, app.observe.tracer());

    @BeforeEach
    void mount() {
        app.server()
                .createContext(
                        "/echo",
                        exchange -> respond(
                                exchange,
                                200,
                                String.valueOf(exchange.getRequestHeaders().get("traceparent"))));
        app.server().createContext("/gone", exchange -> respond(exchange, 410, ""));
    }

    @AfterEach
    void close() {
        app.close();
    }

    @Test
    void a_request_is_a_child_of_the_current_span_and_the_parent_of_the_servers_span() throws Exception {
        String body = app.observe.tracer().call("checkout", () -> {
            HttpRequest request = HttpRequest.newBuilder(uri("/echo?token=secret"))
                    .header("traceparent", "stale")
                    .build();
            return client.send(request, BodyHandlers.ofString()).body();
        });
        String spans = app.spans();
        String[] parts = body.substring(1, body.length() - 1).split("-", -1);
        assertThat(spans)
                .contains("\"traceId\":\"" + parts[1] + "\",\"spanId\":\"" + parts[2] + "\"")
                .contains("\"kind\":3", "\"name\":\"GET\"", "/echo\"}", "server.address", "\"name\":\"checkout\"")
                .doesNotContain("secret");
    }

    @Test
    void an_error_status_and_a_failure_fail_the_span() throws Exception {
        assertThat(client.sendAsync(HttpRequest.newBuilder(uri("/gone")).build(), BodyHandlers.ofString())
                        .get()
                        .statusCode())
                .isEqualTo(410);
        assertThat(app.spans()).contains("\"stringValue\":\"410\"", "\"code\":2");
        HttpRequest unreachable = HttpRequest.newBuilder(URI.create("http://no-such-host.invalid/"))
                .build();
        assertThatThrownBy(() -> client.send(unreachable, BodyHandlers.ofString()))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() ->
                        client.sendAsync(unreachable, BodyHandlers.ofString()).join())
                .hasCauseInstanceOf(IOException.class);
        assertThat(app.spans()).contains("java.net.ConnectException");
    }

    @Test
    void without_tracing_requests_are_sent_unchanged() throws Exception {
        HttpClient off = new TracedHttpClient(app.client, Tracer.off());
        HttpResponse<String> response =
                off.send(HttpRequest.newBuilder(uri("/echo")).build(), BodyHandlers.ofString());
        assertThat(response.body()).isEqualTo("null");
        assertThat(off.version()).isEqualTo(app.client.version());
    }

    private URI uri(String path) {
        return app.uri(path);
    }
}
