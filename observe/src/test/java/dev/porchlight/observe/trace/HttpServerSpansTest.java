// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpServerSpansTest {
    @ParameterizedTest
    @CsvSource({
        "GET, /users/{id}, GET /users/{id}",
        "GET, , GET",
        "PATCH, /, PATCH /",
        "get, /x, HTTP /x",
        "BREW, , HTTP",
        "'', , HTTP",
    })
    void a_span_is_named_by_method_and_route(String method, String route, String name) {
        assertThat(HttpServerSpans.name(method, route)).isEqualTo(name);
    }

    @Test
    void a_span_starts_with_the_required_attributes() {
        List<Span> spans = Tracers.ended(tracer -> {
            HttpServerSpans.begin(tracer.start("a"), "GET", "https", "/users/7").end();
            HttpServerSpans.begin(tracer.start("b"), "brew", "http", "/").end();
        });
        assertThat(SpanTest.attributes(spans.get(0)))
                .isEqualTo(Map.of("http.request.method", "GET", "url.scheme", "https", "url.path", "/users/7"));
        assertThat(SpanTest.attributes(spans.get(1)))
                .containsEntry("http.request.method", "_OTHER")
                .containsEntry("http.request.method_original", "brew");
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 200, 204, 302, 400, 401, 404, 429, 499})
    void the_status_is_unset_below_500(int status) {
        Span span = ended(status, null);
        assertThat(span.endDetails()).isNull();
        assertThat(SpanTest.attributes(span))
                .containsEntry("http.response.status_code", (long) status)
                .containsEntry("http.route", "/users/{id}")
                .doesNotContainKey("error.type");
        assertThat(span.name()).isEqualTo("GET /users/{id}");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 503, 599})
    void a_5xx_is_an_error_without_a_description(int status) {
        Span span = ended(status, null);
        assertThat(span.endDetails().status).isEqualTo(SpanStatus.ERROR);
        assertThat(span.endDetails().description).isNull();
        assertThat(span.endDetails().events).isEmpty();
        assertThat(SpanTest.attributes(span)).containsEntry("error.type", Integer.toString(status));
    }

    @Test
    void an_exception_is_an_error_with_an_event_and_the_response_status() {
        Span span = ended(500, new IllegalStateException("broken"));
        assertThat(span.endDetails().status).isEqualTo(SpanStatus.ERROR);
        assertThat(span.endDetails().events).extracting(SpanDetails.Event::name).containsExactly("exception");
        assertThat(SpanTest.attributes(span))
                .containsEntry("error.type", "java.lang.IllegalStateException")
                .containsEntry("http.response.status_code", 500L);
    }

    @Test
    void a_span_without_a_matched_route_has_no_route_attribute() {
        Span span = Tracers.ended(tracer ->
                        HttpServerSpans.end(tracer.start(HttpServerSpans.name("GET", null)), "GET", null, 404, null))
                .get(0);
        assertThat(span.name()).isEqualTo("GET");
        assertThat(SpanTest.attributes(span)).containsOnlyKeys("http.response.status_code");
    }

    private static Span ended(int status, Throwable error) {
        return Tracers.ended(tracer -> {
                    Span span = tracer.start(HttpServerSpans.name("GET", null), Attributes.none(), SpanKind.SERVER);
                    HttpServerSpans.end(span, HttpServerSpans.name("GET", "/users/{id}"), "/users/{id}", status, error);
                })
                .get(0);
    }
}
