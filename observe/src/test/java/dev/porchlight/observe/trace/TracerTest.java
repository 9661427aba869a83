// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static dev.porchlight.observe.otlp.CollectorStub.respond;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportEvent;
import dev.porchlight.observe.export.ExportResult;
import dev.porchlight.observe.otlp.CollectorStub;
import dev.porchlight.observe.otlp.CollectorStub.Request;
import dev.porchlight.observe.otlp.StrictJson;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TracerTest {
    private static final SpanContext CALLER = new SpanContext(1, 2, 3, 1, "a=1", true);

    @Test
    void a_tracer_without_an_endpoint_is_off_and_starts_no_thread() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (Tracer tracer = Tracer.open(Tracers.settings(Map.of()), Tracers.SILENT)) {
            assertThat(tracer).isSameAs(Tracer.off());
            Span root = tracer.start("root");
            assertThat(root).isSameAs(Span.none());
            root.set("a", 1).event("b").end();
            assertThat(tracer.flush(Duration.ZERO)).isTrue();
            assertThat(tracer.started()).isZero();
            assertThat(tracer.stats().queueCapacity()).isZero();
            assertThat(tracer.close(Duration.ZERO)).isZero();
        }
        Set<Thread> after = new HashSet<>(Thread.getAllStackTraces().keySet());
        after.removeAll(before);
        assertThat(after).noneMatch(thread -> thread.getName().startsWith("porchlight-span"));
    }

    @Test
    void a_tracer_that_is_off_propagates_the_callers_context_unchanged() {
        Span span = Tracer.off().start("GET", Attributes.of("a", 1), CALLER, SpanKind.SERVER);
        assertThat(span.context()).isEqualTo(CALLER);
        assertThat(span.recording()).isFalse();
    }

    @Test
    void children_share_their_parents_trace_and_unsampled_spans_have_a_context() {
        try (Tracer tracer = Tracers.open(new RecordingSender())) {
            Span child = tracer.start("child", Attributes.none(), CALLER);
            assertThat(child.context().traceIdHigh()).isEqualTo(1);
            assertThat(child.context().traceIdLow()).isEqualTo(2);
            assertThat(child.context().spanId()).isNotEqualTo(3);
            assertThat(child.context().traceState()).isEqualTo("a=1");
            assertThat(child.context().remote()).isFalse();

            Span unsampled = tracer.start("child", Attributes.none(), new SpanContext(1, 2, 3, 0, "", true));
            assertThat(unsampled.recording()).isFalse();
            assertThat(unsampled.context().valid()).isTrue();
            assertThat(unsampled.context().spanId()).isNotEqualTo(3);
            assertThat(unsampled.context().sampled()).isFalse();
            assertThat(tracer.started()).isEqualTo(1);
        }
    }

    @Test
    void a_span_is_a_child_of_the_current_one_by_default() {
        try (Tracer tracer = Tracers.open(new RecordingSender())) {
            Span outer = tracer.start("outer");
            try (Scope scope = outer.makeCurrent()) {
                assertThat(scope).isNotNull();
                assertThat(tracer.start("inner").context().traceIdHex())
                        .isEqualTo(outer.context().traceIdHex());
                assertThat(tracer.start("inner", Attributes.none(), SpanKind.CLIENT)
                                .kind())
                        .isEqualTo(SpanKind.CLIENT);
                assertThat(tracer.start("new", Attributes.none(), SpanContext.NONE)
                                .context()
                                .traceIdHex())
                        .isNotEqualTo(outer.context().traceIdHex());
            }
            assertThat(tracer.start("after").context().traceIdHex())
                    .isNotEqualTo(outer.context().traceIdHex());
        }
    }

    @Test
    void spans_reach_a_collector_in_protobuf_and_in_json() throws Exception {
        try (CollectorStub collector = new CollectorStub()) {
            send(collector, Map.of("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"));
            send(collector, Map.of("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"));
            Request first = collector.requests().get(0);
            assertThat(first.path()).isEqualTo("/otlp/v1/traces");
            ExportTraceServiceRequest proto = ExportTraceServiceRequest.parseFrom(first.plain());
            assertThat(proto.getResourceSpans(0).getResource().getAttributesList())
                    .anyMatch(pair -> pair.getKey().equals("service.name")
                            && pair.getValue().getStringValue().equals("porch"));
            assertThat(proto.getResourceSpans(0).getScopeSpans(0).getSpans(0).getName())
                    .isEqualTo("GET /");
            Request second = collector.requests().get(1);
            assertThat(second.header("Content-Type")).isEqualTo("application/json");
            StrictJson.parse(new String(second.plain(), StandardCharsets.UTF_8));
        }
    }

    private static void send(CollectorStub collector, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.base() + "/otlp");
        environment.put("OTEL_SERVICE_NAME", "porch");
        Tracer tracer = Tracer.open(Tracers.settings(environment), Tracers.SILENT);
        tracer.start("GET /", Attributes.of("a", 1)).end();
        assertThat(tracer.flush(Tracers.SOON)).isTrue();
        assertThat(tracer.stats().exported()).isEqualTo(1);
        assertThat(tracer.close(Tracers.SOON)).isZero();
    }

    @Test
    void refusals_and_the_recovery_are_reported() {
        Tracers.RecordedEvents events = new Tracers.RecordedEvents();
        try (CollectorStub collector = new CollectorStub();
                Tracer tracer = Tracer.open(
                        Tracers.settings(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.base())), events)) {
            collector.script.add(respond(400));
            tracer.start("a").end();
            assertThat(tracer.flush(Tracers.SOON)).isTrue();
            assertThat(tracer.stats().circuitOpen()).isTrue();
            tracer.start("b").end();
            assertThat(tracer.flush(Tracers.SOON)).isTrue();
            assertThat(tracer.stats().circuitOpen()).isFalse();
            assertThat(tracer.stats().exportNanos()).isPositive();
            assertThat(events.kinds())
                    .containsExactly(ExportEvent.Kind.EXPORT_FAILED, ExportEvent.Kind.EXPORT_RECOVERED);
            assertThat(tracer.stats().batches(ExportResult.FAILED)).isEqualTo(1);
            assertThat(tracer.stats().batches(ExportResult.SUCCESS)).isEqualTo(1);
        }
    }

    @Test
    void a_hung_collector_does_not_block_close() {
        try (CollectorStub collector = new CollectorStub()) {
            collector.script.add(collector.hang());
            Tracer tracer = Tracer.open(
                    Tracers.settings(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.base())), Tracers.SILENT);
            tracer.start("a").end();
            assertThat(tracer.close(Duration.ofMillis(300))).isEqualTo(1);
            await().untilAsserted(() ->
                    assertThat(tracer.stats().dropped(DropReason.SHUTDOWN)).isEqualTo(1));
        }
    }

    @Test
    void the_console_exporter_prints_one_json_line_per_batch() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try (Tracer tracer = Tracer.open(Tracers.settings(Map.of("OTEL_TRACES_EXPORTER", "console")), Tracers.SILENT)) {
            tracer.start("één").end();
        } finally {
            System.setOut(before);
        }
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(1);
        assertThat(StrictJson.parse(lines.get(0)).toString()).contains("name=één");
    }
}
