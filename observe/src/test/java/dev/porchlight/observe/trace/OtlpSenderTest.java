// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static dev.porchlight.observe.otlp.CollectorStub.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.CollectorStub;
import dev.porchlight.observe.otlp.CollectorStub.Request;
import dev.porchlight.observe.otlp.FakeTime;
import dev.porchlight.observe.otlp.OtlpEncoder;
import dev.porchlight.observe.otlp.OtlpSender;
import dev.porchlight.observe.otlp.OtlpSettings;
import dev.porchlight.observe.otlp.Sender.Outcome;
import dev.porchlight.observe.otlp.StrictJson;
import io.opentelemetry.proto.collector.trace.v1.ExportTracePartialSuccess;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpSenderTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);
    private static final List<Span> SPANS = Tracers.spans(3);

    private final CollectorStub collector = new CollectorStub();
    private final FakeTime time = new FakeTime();

    @AfterEach
    void stop() {
        collector.close();
    }

    @Test
    void protobuf_is_posted_with_the_configured_headers() throws Exception {
        assertThat(send(sender(false, false, Map.of("api-key", "k 1", "content-type", "text/plain"))))
                .isEqualTo(Outcome.ACCEPTED);
        Request request = collector.requests().get(0);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/base/v1/traces?x=1");
        assertThat(request.header("Content-Type")).isEqualTo("application/x-protobuf");
        assertThat(request.header("Content-Encoding")).isNull();
        assertThat(request.header("User-Agent")).matches("Porchlight/\\S+ OTel-OTLP-Exporter-Java/\\S+");
        assertThat(request.header("api-key")).isEqualTo("k 1");
        assertThat(names(ExportTraceServiceRequest.parseFrom(request.body())))
                .containsExactly("span 0", "span 1", "span 2");
    }

    @Test
    void json_is_compressed_if_configured() throws Exception {
        assertThat(send(sender(true, true, Map.of()))).isEqualTo(Outcome.ACCEPTED);
        Request request = collector.requests().get(0);
        assertThat(request.header("Content-Type")).isEqualTo("application/json");
        assertThat(request.header("Content-Encoding")).isEqualTo("gzip");
        Object json = StrictJson.parse(new String(request.plain(), StandardCharsets.UTF_8));
        assertThat(StrictJson.object(json)).containsOnlyKeys("resourceSpans");
    }

    @Test
    void requests_use_http_1_1_without_an_upgrade() throws Exception {
        send(sender(false, false, Map.of()));
        assertThat(collector.requests().get(0).protocol()).isEqualTo("HTTP/1.1");
        assertThat(collector.requests().get(0).header("Upgrade")).isNull();
        assertThat(collector.requests().get(0).header("HTTP2-Settings")).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void temporary_failures_are_retried(int status) throws Exception {
        collector.script.add(respond(status));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Retry("HTTP " + status, -1));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 405, 408, 413, 415, 500, 501, 505})
    void other_failures_are_not_retried(int status) throws Exception {
        collector.script.add(respond(status, "Retry-After", "1"));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Refused("HTTP " + status));
    }

    @Test
    void retry_after_is_parsed_in_seconds_and_as_a_date() throws Exception {
        collector.script.add(respond(429, "Retry-After", "7"));
        collector.script.add(respond(503, "Retry-After", "Tue, 14 Nov 2023 22:13:50 GMT")); // 30 s after FakeTime.EPOCH
        collector.script.add(respond(503, "Retry-After", "soon"));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Retry("HTTP 429", TimeUnit.SECONDS.toNanos(7)));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Retry("HTTP 503", TimeUnit.SECONDS.toNanos(30)));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Retry("HTTP 503", -1));
    }

    @Test
    void a_refused_connection_is_retried() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(send(sender("http://127.0.0.1:" + port + "/v1/traces"))).isInstanceOf(Outcome.Retry.class);
        assertThat(send(sender("http://no-such-host.invalid/v1/traces"))).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void a_disconnect_without_a_response_is_retried() throws Exception {
        collector.script.add(CollectorStub.disconnect());
        assertThat(send(protobuf())).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void a_response_timeout_is_retried() throws Exception {
        collector.script.add(collector.hang());
        collector.script.add(collector.hangAfterHeaders());
        OtlpSender<Span> sender = protobuf();
        sender.load(SPANS);
        long limit = TimeUnit.MILLISECONDS.toNanos(300);
        assertThat(sender.send(limit)).isEqualTo(new Outcome.Retry("no response within 300 ms", -1));
        assertThat(sender.send(limit)).isEqualTo(new Outcome.Retry("no response within 300 ms", -1));
        assertThat(sender.send(LONG)).isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void a_retry_sends_the_same_bytes() throws Exception {
        collector.script.add(respond(503));
        OtlpSender<Span> sender = sender(false, true, Map.of());
        sender.load(SPANS);
        sender.send(LONG);
        sender.send(LONG);
        assertThat(collector.requests()).hasSize(2);
        assertThat(collector.requests().get(1).body())
                .isEqualTo(collector.requests().get(0).body());
    }

    static Stream<Arguments> responses() {
        return Stream.of(
                arguments("{}", 0, ""),
                arguments("{\"partialSuccess\":{}}", 0, ""),
                arguments("{\"partialSuccess\":null}", 0, ""),
                arguments(
                        "{\"partialSuccess\":{\"rejectedSpans\":\"2\",\"errorMessage\":\"no \\u00fcser\\nx\"}}",
                        2,
                        "no üser x"),
                arguments("{\"partialSuccess\":{\"rejectedSpans\":2}}", 2, ""),
                arguments(
                        "{\"partialSuccess\":{\"rejectedSpans\":\"0\",\"errorMessage\":\"be warned\"}}",
                        0,
                        "be warned"),
                arguments("not json", 0, ""));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void a_partial_success_is_parsed_from_json(String body, long rejected, String message) throws Exception {
        collector.script.add(
                respond(200, body.getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json; charset=utf-8"));
        assertThat(send(sender(true, false, Map.of()))).isEqualTo(new Outcome.Accepted(rejected, message));
    }

    @Test
    void a_partial_success_is_parsed_from_protobuf() throws Exception {
        ExportTraceServiceResponse partial = ExportTraceServiceResponse.newBuilder()
                .setPartialSuccess(ExportTracePartialSuccess.newBuilder()
                        .setRejectedSpans(2)
                        .setErrorMessage("no üser"))
                .build();
        ExportTraceServiceResponse empty = ExportTraceServiceResponse.newBuilder()
                .setPartialSuccess(ExportTracePartialSuccess.getDefaultInstance())
                .build();
        collector.script.add(respond(200, partial.toByteArray(), "Content-Type", "application/x-protobuf"));
        collector.script.add(respond(200, empty.toByteArray(), "Content-Type", "application/x-protobuf"));
        collector.script.add(respond(200, new byte[] {10, 127, 1}, "Content-Type", "application/x-protobuf"));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Accepted(2, "no üser"));
        assertThat(send(protobuf())).isEqualTo(Outcome.ACCEPTED);
        assertThat(send(protobuf())).as("garbled, but a success").isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void a_response_larger_than_4_MiB_is_refused() throws Exception {
        byte[] body = new byte[OtlpSender.MAX_RESPONSE + 1];
        Arrays.fill(body, (byte) ' ');
        collector.script.add(respond(200, body));
        collector.script.add(respond(200, Arrays.copyOf(body, OtlpSender.MAX_RESPONSE)));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Refused("the response is larger than 4194304 bytes"));
        assertThat(send(protobuf())).isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void a_batch_larger_than_the_request_limit_is_not_sent() throws Exception {
        assertThat(OtlpSender.MAX_REQUEST).isEqualTo(64 << 20);
        OtlpSender<Span> small = new OtlpSender<>(settings(false, false, Map.of()), encoder(false), time, 100);
        assertThat(small.load(SPANS)).isFalse();
        assertThat(small.load(SPANS.subList(0, 1))).isFalse();
        assertThat(new OtlpSender<>(settings(false, false, Map.of()), encoder(false), time, 300)
                        .load(SPANS.subList(0, 1)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void redirects_are_not_followed(int status) throws Exception {
        collector.script.add(respond(status, "Location", collector.base() + "/elsewhere"));
        assertThat(send(sender(false, false, Map.of("api-key", "secret"))))
                .isEqualTo(new Outcome.Refused("HTTP " + status));
        assertThat(collector.requests()).hasSize(1);
    }

    @Test
    void the_collectors_error_message_is_reported() throws Exception {
        byte[] json = "{\"code\":3,\"message\":\"bad\\r\\nbatch\"}".getBytes(StandardCharsets.UTF_8);
        byte[] proto = {8, 3, 18, 9, 'b', 'a', 'd', ' ', 'b', 'a', 't', 'c', 'h'};
        collector.script.add(respond(400, json, "Content-Type", "application/json"));
        collector.script.add(respond(400, proto, "Content-Type", "application/x-protobuf"));
        collector.script.add(respond(400, json, "Content-Type", "text/html"));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Refused("HTTP 400: bad batch"));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Refused("HTTP 400: bad batch"));
        assertThat(send(protobuf())).isEqualTo(new Outcome.Refused("HTTP 400"));
    }

    @Test
    void a_large_buffer_is_kept_while_it_is_needed_and_released_afterwards() {
        OtlpSender<Span> sender = protobuf();
        List<Span> large = Tracers.ended(
                tracer -> tracer.start("x").set("text", "x".repeat(3 << 20)).end());
        assertThat(sender.load(large)).isTrue();
        int grown = sender.bufferCapacity();
        assertThat(sender.load(SPANS)).isTrue();
        assertThat(sender.bufferCapacity()).isEqualTo(grown);
        assertThat(sender.load(SPANS)).isTrue();
        assertThat(sender.bufferCapacity()).isLessThanOrEqualTo(1 << 20);
    }

    private static OtlpEncoder<Span> encoder(boolean json) {
        return new OtlpEncoder<>(Signal.TRACES, Attributes.none(), json, SpanWriter::write);
    }

    private OtlpSender<Span> protobuf() {
        return sender(false, false, Map.of());
    }

    private OtlpSender<Span> sender(String endpoint) {
        OtlpSettings.Endpoint settings =
                new OtlpSettings.Endpoint(URI.create(endpoint), false, false, Map.of(), Duration.ZERO);
        return new OtlpSender<>(settings, encoder(false), time, OtlpSender.MAX_REQUEST);
    }

    private OtlpSender<Span> sender(boolean json, boolean gzip, Map<String, String> headers) {
        OtlpEncoder<Span> encoder = encoder(json);
        return new OtlpSender<>(settings(json, gzip, headers), encoder, time, OtlpSender.MAX_REQUEST);
    }

    private OtlpSettings.Endpoint settings(boolean json, boolean gzip, Map<String, String> headers) {
        URI endpoint = URI.create(collector.base() + "/base/v1/traces?x=1");
        return new OtlpSettings.Endpoint(endpoint, json, gzip, headers, Duration.ZERO);
    }

    private static Outcome send(OtlpSender<Span> sender) throws InterruptedException {
        assertThat(sender.load(SPANS)).isTrue();
        return sender.send(LONG);
    }

    private static List<String> names(ExportTraceServiceRequest request) throws IOException {
        return request.getResourceSpans(0).getScopeSpans(0).getSpansList().stream()
                .map(span -> span.getName())
                .toList();
    }
}
