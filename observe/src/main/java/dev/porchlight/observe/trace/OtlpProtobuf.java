// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** OTLP in Protocol Buffers, with the field numbers of {@code opentelemetry/proto/trace/v1/trace.proto}. */
final class OtlpProtobuf implements SpanEncoder {
    private final byte[] resource;
    private final byte[] scope;

    OtlpProtobuf(Attributes resource) {
        WireBuffer buffer = new WireBuffer(256);
        ProtoWriter proto = new ProtoWriter(buffer);
        int start = proto.begin(1);
        attributes(proto, 1, resource);
        proto.end(start);
        this.resource = buffer.toByteArray();

        buffer.clear();
        start = proto.begin(1);
        proto.text(1, SCOPE_NAME);
        proto.text(2, LibraryVersion.TEXT);
        proto.end(start);
        this.scope = buffer.toByteArray();
    }

    @Override
    public String contentType() {
        return "application/x-protobuf";
    }

    @Override
    public boolean encode(List<Span> spans, WireBuffer out, int limit) {
        ProtoWriter proto = new ProtoWriter(out);
        int resourceSpans = proto.begin(1);
        out.put(resource);
        int scopeSpans = proto.begin(2);
        out.put(scope);
        for (Span span : spans) {
            span(proto, span);
            if (out.length() > limit) {
                return false;
            }
        }
        proto.text(3, SCHEMA_URL);
        proto.end(scopeSpans);
        proto.text(3, SCHEMA_URL);
        proto.end(resourceSpans);
        return out.length() <= limit;
    }

    private static void span(ProtoWriter proto, Span span) {
        SpanContext context = span.context();
        SpanContext parent = span.parent();
        int start = proto.begin(2);
        proto.traceId(1, context);
        proto.spanId(2, context);
        proto.optionalText(3, context.traceState());
        if (parent != null) {
            proto.spanId(4, parent);
        }
        proto.optionalText(5, span.name());
        proto.number(6, span.kind().code);
        proto.fixed64(7, span.startEpochNanos());
        proto.fixed64(8, span.endEpochNanos());
        attributes(proto, 9, 10, span.endAttributes());
        SpanDetails details = span.endDetails();
        if (details != null) {
            details(proto, details);
        }
        proto.fixed32(16, SpanEncoder.flags(context, parent != null && parent.remote()));
        proto.end(start);
    }

    private static void details(ProtoWriter proto, SpanDetails details) {
        for (SpanDetails.Event event : details.events) {
            int start = proto.begin(11);
            proto.fixed64(1, event.epochNanos());
            proto.optionalText(2, event.name());
            attributes(proto, 3, 4, event.attributes());
            proto.end(start);
        }
        proto.optionalNumber(12, details.droppedEvents);
        for (SpanDetails.Link link : details.links) {
            int start = proto.begin(13);
            proto.traceId(1, link.context());
            proto.spanId(2, link.context());
            proto.optionalText(3, link.context().traceState());
            attributes(proto, 4, 5, link.attributes());
            proto.fixed32(6, SpanEncoder.flags(link.context(), link.context().remote()));
            proto.end(start);
        }
        proto.optionalNumber(14, details.droppedLinks);
        if (details.status != SpanStatus.UNSET) {
            int start = proto.begin(15);
            String description = details.description;
            if (description != null) {
                proto.optionalText(2, description);
            }
            proto.number(3, details.status.code);
            proto.end(start);
        }
    }

    private static void attributes(ProtoWriter proto, int field, int droppedField, @Nullable AttributeSet set) {
        if (set == null) {
            return;
        }
        for (int i = 0; i < set.size(); i++) {
            keyValue(proto, field, set.key(i), set.value(i));
        }
        proto.optionalNumber(droppedField, set.dropped());
    }

    private static void attributes(ProtoWriter proto, int field, Attributes attributes) {
        attributes.forEach((key, value) -> keyValue(proto, field, key, value));
    }

    private static void keyValue(ProtoWriter proto, int field, String key, Object value) {
        int start = proto.begin(field);
        proto.text(1, key);
        value(proto, 2, value);
        proto.end(start);
    }

    /** Writes an AnyValue. Its value is a oneof, so zero and the empty string are written too. */
    private static void value(ProtoWriter proto, int field, Object value) {
        int start = proto.begin(field);
        if (value instanceof Long number) {
            proto.number(3, number);
        } else if (value instanceof Boolean flag) {
            proto.number(2, flag ? 1 : 0);
        } else if (value instanceof Double number) {
            proto.fixed64(4, Double.doubleToRawLongBits(number));
        } else if (value instanceof byte[] bytes) {
            proto.bytes(7, bytes);
        } else if (value instanceof List<?> list) {
            int array = proto.begin(5);
            list.forEach(element -> value(proto, 1, element));
            proto.end(array);
        } else if (value instanceof Attributes map) {
            int pairs = proto.begin(6);
            attributes(proto, 1, map);
            proto.end(pairs);
        } else {
            proto.text(1, (String) value);
        }
        proto.end(start);
    }
}
