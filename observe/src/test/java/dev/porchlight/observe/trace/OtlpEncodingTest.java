// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.OtlpEncoder;
import dev.porchlight.observe.otlp.StrictJson;
import dev.porchlight.observe.wire.WireBuffer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Status;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The official protobuf classes parse one encoding and a strict JSON parser the other, and both results must agree. */
class OtlpEncodingTest {
    private static final SpanContext REMOTE =
            new SpanContext(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, 1, "a=1,b=2", true);
    private static final Attributes RESOURCE = Attributes.of("service.name", "pörch", "telemetry.sdk.language", "java");

    @Test
    void spans_are_wrapped_in_resource_and_scope_with_schema_urls() throws Exception {
        List<Span> spans = Tracers.spans(3);
        ResourceSpans resource = proto(spans).getResourceSpans(0);
        assertThat(proto(spans).getResourceSpansCount()).isOne();
        assertThat(resource.getSchemaUrl()).startsWith("https://opentelemetry.io/schemas/1.");
        assertThat(attribute(resource.getResource().getAttributesList(), "service.name")
                        .getStringValue())
                .isEqualTo("pörch");
        assertThat(resource.getScopeSpansCount()).isOne();
        ScopeSpans scope = resource.getScopeSpans(0);
        assertThat(scope.getSchemaUrl()).isEqualTo(resource.getSchemaUrl());
        assertThat(scope.getScope().getName()).isEqualTo("dev.porchlight.observe");
        assertThat(scope.getScope().getVersion()).isNotEmpty();
        assertThat(scope.getSpansList())
                .extracting(span -> span.getName())
                .containsExactly("span 0", "span 1", "span 2");

        Map<String, Object> json = StrictJson.object(json(spans));
        assertThat(json).containsOnlyKeys("resourceSpans");
        Map<String, Object> jsonResource =
                StrictJson.object(StrictJson.list(json.get("resourceSpans")).get(0));
        assertThat(jsonResource).containsOnlyKeys("resource", "scopeSpans", "schemaUrl");
        Map<String, Object> jsonScope = StrictJson.object(
                StrictJson.list(jsonResource.get("scopeSpans")).get(0));
        assertThat(jsonScope).containsOnlyKeys("scope", "spans", "schemaUrl");
        assertThat(StrictJson.list(jsonScope.get("spans"))).hasSize(3);
    }

    @Test
    void json_has_hex_ids_numeric_enumerations_and_64_bit_integers_as_strings() {
        Span span = fullSpan();
        Map<String, Object> json = jsonSpan(span);
        assertThat(json.get("traceId")).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(json.get("spanId")).isEqualTo(span.context().spanIdHex());
        assertThat((String) json.get("spanId")).matches("[0-9a-f]{16}");
        assertThat(json.get("parentSpanId")).isEqualTo("b7ad6b7169203331");
        assertThat(json.get("kind")).isEqualTo(new BigDecimal(2));
        assertThat(StrictJson.object(json.get("status")).get("code")).isEqualTo(new BigDecimal(2));
        assertThat((String) json.get("startTimeUnixNano")).matches("[0-9]{19}");
        assertThat((String) json.get("endTimeUnixNano")).matches("[0-9]{19}");
        assertThat(Long.parseLong((String) json.get("endTimeUnixNano")))
                .isGreaterThanOrEqualTo(Long.parseLong((String) json.get("startTimeUnixNano")));
        assertThat(json.get("flags")).as("sampled, parent known to be remote").isEqualTo(new BigDecimal(0x301));
        assertThat(json)
                .containsOnlyKeys(
                        "traceId",
                        "spanId",
                        "traceState",
                        "parentSpanId",
                        "name",
                        "kind",
                        "startTimeUnixNano",
                        "endTimeUnixNano",
                        "attributes",
                        "events",
                        "links",
                        "status",
                        "flags");
    }

    @Test
    void a_root_has_no_parent_and_local_and_remote_parents_are_distinguished() {
        List<Span> spans = Tracers.ended(tracer -> {
            Span root = tracer.start("root", Attributes.none(), SpanContext.NONE);
            tracer.start("child", Attributes.none(), root.context()).end();
            root.end();
        });
        Map<String, Object> child = jsonSpan(spans.get(0));
        Map<String, Object> root = jsonSpan(spans.get(1));
        assertThat(root)
                .doesNotContainKey("parentSpanId")
                .doesNotContainKey("status")
                .doesNotContainKey("attributes");
        assertThat(root.get("flags")).isEqualTo(new BigDecimal(0x103));
        assertThat(child.get("flags")).isEqualTo(new BigDecimal(0x103));
        assertThat(child.get("parentSpanId")).isEqualTo(root.get("spanId"));
        assertThat(child.get("traceId")).isEqualTo(root.get("traceId"));
    }

    @Test
    void each_value_type_is_encoded_and_non_finite_doubles_are_strings() {
        Map<String, Object> values = jsonAttributes(jsonSpan(fullSpan()));
        assertThat(values.get("text")).isEqualTo(Map.of("stringValue", "q\"b\\n\n\u2028 é 😀 \ufffd"));
        assertThat(values.get("empty")).isEqualTo(Map.of("stringValue", ""));
        assertThat(values.get("yes")).isEqualTo(Map.of("boolValue", true));
        assertThat(values.get("no")).isEqualTo(Map.of("boolValue", false));
        assertThat(values.get("zero")).isEqualTo(Map.of("intValue", "0"));
        assertThat(values.get("min")).isEqualTo(Map.of("intValue", "-9223372036854775808"));
        assertThat(values.get("third")).isEqualTo(Map.of("doubleValue", new BigDecimal("0.3333333333333333")));
        assertThat(values.get("tiny")).isEqualTo(Map.of("doubleValue", new BigDecimal("4.9E-324")));
        assertThat(values.get("nan")).isEqualTo(Map.of("doubleValue", "NaN"));
        assertThat(values.get("up")).isEqualTo(Map.of("doubleValue", "Infinity"));
        assertThat(values.get("down")).isEqualTo(Map.of("doubleValue", "-Infinity"));
        assertThat(values.get("bytes")).isEqualTo(Map.of("bytesValue", "+/8="));
        assertThat(values.get("list"))
                .isEqualTo(Map.of(
                        "arrayValue",
                        Map.of(
                                "values",
                                List.of(
                                        Map.of("stringValue", "a"),
                                        Map.of("intValue", "1"),
                                        Map.of("arrayValue", Map.of("values", List.of()))))));
        assertThat(values.get("map"))
                .isEqualTo(Map.of(
                        "kvlistValue",
                        Map.of("values", List.of(Map.of("key", "k", "value", Map.of("boolValue", true))))));
        assertThat(values.get("twice"))
                .as("the last value wins and appears once")
                .isEqualTo(Map.of("intValue", "2"));
    }

    @Test
    void protobuf_and_json_encodings_are_equivalent() throws Exception {
        List<Span> spans = Tracers.ended(
                Map.of(
                        "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT",
                        "20",
                        "OTEL_SPAN_EVENT_COUNT_LIMIT",
                        "2",
                        "OTEL_SPAN_LINK_COUNT_LIMIT",
                        "1",
                        "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT",
                        "3",
                        "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT",
                        "1"),
                tracer -> {
                    record(tracer);
                    tracer.start("plain", Attributes.none(), SpanContext.NONE).end();
                    Span crowded = tracer.start("crowded", Attributes.none(), REMOTE, SpanKind.CONSUMER)
                            .status(SpanStatus.OK);
                    for (int i = 0; i < 25; i++) {
                        crowded.set("key" + i, i)
                                .event("event" + i, Attributes.of(Map.of("a", 1, "b", 2, "c", 3, "d", 4)));
                        crowded.link(REMOTE, Attributes.of("a", i, "b", i));
                    }
                    crowded.set("long text", "x".repeat(20_000)).end();
                });
        assertThat(canonical(proto(spans))).isEqualTo(json(spans));
        assertThat(proto(spans).getUnknownFields().asMap()).isEmpty();
    }

    @Test
    void encoding_stops_at_the_limit() {
        List<Span> spans = Tracers.spans(50);
        for (OtlpEncoder<Span> encoder : List.of(encoder(true), encoder(false))) {
            WireBuffer out = new WireBuffer(0);
            assertThat(encoder.encode(spans, out, Integer.MAX_VALUE)).isTrue();
            int whole = out.length();
            assertThat(encoder.encode(spans, out.clear(), whole)).isTrue();
            assertThat(encoder.encode(spans, out.clear(), whole - 1)).isFalse();
            assertThat(encoder.encode(spans, out.clear(), 1000)).isFalse();
            assertThat(out.length()).isLessThan(2000);
        }
    }

    private static OtlpEncoder<Span> encoder(boolean json) {
        return new OtlpEncoder<>(Signal.TRACES, RESOURCE, json, SpanWriter::write);
    }

    private static Span fullSpan() {
        return Tracers.ended(OtlpEncodingTest::record).get(0);
    }

    private static void record(Tracer tracer) {
        Span span = tracer.start("GET /ünïcode", Attributes.of("twice", 1), REMOTE, SpanKind.SERVER);
        span.set("twice", 2)
                .set("text", "q\"b\\n\n\u2028 é 😀 \ud83d")
                .set("empty", "")
                .set("yes", true)
                .set("no", false);
        span.set("zero", 0).set("min", Long.MIN_VALUE).set("third", 1 / 3.0).set("tiny", Double.MIN_VALUE);
        span.set("nan", Double.NaN).set("up", Double.POSITIVE_INFINITY).set("down", Double.NEGATIVE_INFINITY);
        span.set("bytes", new byte[] {(byte) 0xfb, (byte) 0xff}).set("list", Arrays.asList("a", 1, List.of()));
        span.set("map", Map.of("k", true))
                .event("seen", Attributes.of("n", 3))
                .link(REMOTE, Attributes.of("why", "retry"));
        span.end(new IllegalStateException("broken"));
    }

    private static ExportTraceServiceRequest proto(List<Span> spans) throws InvalidProtocolBufferException {
        WireBuffer out = new WireBuffer(0);
        assertThat(encoder(false).encode(spans, out, Integer.MAX_VALUE)).isTrue();
        return ExportTraceServiceRequest.parseFrom(out.toByteArray());
    }

    private static Object json(List<Span> spans) {
        WireBuffer out = new WireBuffer(0);
        assertThat(encoder(true).encode(spans, out, Integer.MAX_VALUE)).isTrue();
        return StrictJson.parse(out.toString());
    }

    private static Map<String, Object> jsonSpan(Span span) {
        Object resource = StrictJson.list(StrictJson.object(json(List.of(span))).get("resourceSpans"))
                .get(0);
        Object scope =
                StrictJson.list(StrictJson.object(resource).get("scopeSpans")).get(0);
        return StrictJson.object(
                StrictJson.list(StrictJson.object(scope).get("spans")).get(0));
    }

    private static Map<String, Object> jsonAttributes(Map<String, Object> span) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Object pair : StrictJson.list(span.get("attributes"))) {
            Object before = values.put(
                    (String) StrictJson.object(pair).get("key"),
                    StrictJson.object(pair).get("value"));
            assertThat(before).isNull();
        }
        return values;
    }

    private static AnyValue attribute(List<KeyValue> list, String key) {
        return list.stream()
                .filter(pair -> pair.getKey().equals(key))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    // The request in the OTLP JSON mapping, built from the official classes independently of our writer.

    private static Object canonical(ExportTraceServiceRequest request) {
        return Map.of(
                "resourceSpans",
                request.getResourceSpansList().stream()
                        .map(resource -> Map.of(
                                "resource",
                                        Map.of(
                                                "attributes",
                                                keyValues(resource.getResource().getAttributesList())),
                                "schemaUrl", resource.getSchemaUrl(),
                                "scopeSpans",
                                        resource.getScopeSpansList().stream()
                                                .map(OtlpEncodingTest::canonical)
                                                .toList()))
                        .toList());
    }

    private static Object canonical(ScopeSpans scope) {
        return Map.of(
                "scope",
                        Map.of(
                                "name",
                                scope.getScope().getName(),
                                "version",
                                scope.getScope().getVersion()),
                "schemaUrl", scope.getSchemaUrl(),
                "spans",
                        scope.getSpansList().stream()
                                .map(OtlpEncodingTest::canonical)
                                .toList());
    }

    private static Object canonical(io.opentelemetry.proto.trace.v1.Span span) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("traceId", HexFormat.of().formatHex(span.getTraceId().toByteArray()));
        map.put("spanId", HexFormat.of().formatHex(span.getSpanId().toByteArray()));
        present(map, "traceState", span.getTraceState());
        present(
                map,
                "parentSpanId",
                HexFormat.of().formatHex(span.getParentSpanId().toByteArray()));
        map.put("name", span.getName());
        map.put("kind", new BigDecimal(span.getKindValue()));
        map.put("startTimeUnixNano", Long.toString(span.getStartTimeUnixNano()));
        map.put("endTimeUnixNano", Long.toString(span.getEndTimeUnixNano()));
        present(map, "attributes", keyValues(span.getAttributesList()));
        present(map, "droppedAttributesCount", span.getDroppedAttributesCount());
        present(
                map,
                "events",
                span.getEventsList().stream().map(OtlpEncodingTest::canonical).toList());
        present(map, "droppedEventsCount", span.getDroppedEventsCount());
        present(
                map,
                "links",
                span.getLinksList().stream().map(OtlpEncodingTest::canonical).toList());
        present(map, "droppedLinksCount", span.getDroppedLinksCount());
        if (span.getStatus().getCode() != Status.StatusCode.STATUS_CODE_UNSET) {
            Map<String, Object> status = new LinkedHashMap<>();
            status.put("code", new BigDecimal(span.getStatus().getCodeValue()));
            present(status, "message", span.getStatus().getMessage());
            map.put("status", status);
        }
        map.put("flags", new BigDecimal(span.getFlags()));
        return map;
    }

    private static Object canonical(io.opentelemetry.proto.trace.v1.Span.Event event) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("timeUnixNano", Long.toString(event.getTimeUnixNano()));
        map.put("name", event.getName());
        present(map, "attributes", keyValues(event.getAttributesList()));
        present(map, "droppedAttributesCount", event.getDroppedAttributesCount());
        return map;
    }

    private static Object canonical(io.opentelemetry.proto.trace.v1.Span.Link link) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("traceId", HexFormat.of().formatHex(link.getTraceId().toByteArray()));
        map.put("spanId", HexFormat.of().formatHex(link.getSpanId().toByteArray()));
        present(map, "traceState", link.getTraceState());
        present(map, "attributes", keyValues(link.getAttributesList()));
        present(map, "droppedAttributesCount", link.getDroppedAttributesCount());
        map.put("flags", new BigDecimal(link.getFlags()));
        return map;
    }

    private static void present(Map<String, Object> map, String name, Object value) {
        if (value instanceof Integer count) {
            if (count != 0) {
                map.put(name, new BigDecimal(count));
            }
        } else if (!(value instanceof List<?> list && list.isEmpty()) && !"".equals(value)) {
            map.put(name, value);
        }
    }

    private static List<Object> keyValues(List<KeyValue> pairs) {
        return pairs.stream()
                .<Object>map(pair -> Map.of("key", pair.getKey(), "value", canonical(pair.getValue())))
                .toList();
    }

    private static Object canonical(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> Map.of("stringValue", value.getStringValue());
            case BOOL_VALUE -> Map.of("boolValue", value.getBoolValue());
            case INT_VALUE -> Map.of("intValue", Long.toString(value.getIntValue()));
            case DOUBLE_VALUE -> {
                double number = value.getDoubleValue();
                yield Map.of(
                        "doubleValue",
                        Double.isFinite(number) ? new BigDecimal(Double.toString(number)) : Double.toString(number));
            }
            case BYTES_VALUE ->
                Map.of(
                        "bytesValue",
                        Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
            case ARRAY_VALUE ->
                Map.of(
                        "arrayValue",
                        Map.of(
                                "values",
                                value.getArrayValue().getValuesList().stream()
                                        .map(OtlpEncodingTest::canonical)
                                        .toList()));
            case KVLIST_VALUE ->
                Map.of(
                        "kvlistValue",
                        Map.of("values", keyValues(value.getKvlistValue().getValuesList())));
            default -> throw new AssertionError("empty value");
        };
    }
}
