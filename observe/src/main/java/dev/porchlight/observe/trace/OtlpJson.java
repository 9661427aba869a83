// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * OTLP in JSON: names in lowerCamelCase, ids in hex, enumerations as numbers, and 64-bit integers as strings, because
 * many JSON parsers lose digits beyond 2^53.
 */
final class OtlpJson implements SpanEncoder {
    private final byte[] head;
    private final byte[] tail;

    OtlpJson(Attributes resource) {
        WireBuffer buffer = new WireBuffer(512).ascii("{\"resourceSpans\":[{\"resource\":{\"attributes\":");
        attributes(buffer, resource);
        buffer.ascii("},\"scopeSpans\":[{\"scope\":{\"name\":").jsonString(SCOPE_NAME);
        buffer.ascii(",\"version\":").jsonString(LibraryVersion.TEXT).ascii("},\"spans\":[");
        head = buffer.toByteArray();

        buffer.clear().ascii("],\"schemaUrl\":").jsonString(SCHEMA_URL);
        buffer.ascii("}],\"schemaUrl\":").jsonString(SCHEMA_URL).ascii("}]}");
        tail = buffer.toByteArray();
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public boolean encode(List<Span> spans, WireBuffer out, int limit) {
        out.put(head);
        for (int i = 0; i < spans.size(); i++) {
            if (i > 0) {
                out.put(',');
            }
            span(out, spans.get(i));
            if (out.length() > limit) {
                return false;
            }
        }
        out.put(tail);
        return out.length() <= limit;
    }

    private static void span(WireBuffer out, Span span) {
        SpanContext context = span.context();
        SpanContext parent = span.parent();
        ids(out.put('{'), context);
        if (parent != null) {
            out.ascii(",\"parentSpanId\":\"").hex(parent.spanId()).put('"');
        }
        out.ascii(",\"name\":").jsonString(span.name());
        out.ascii(",\"kind\":").decimal(span.kind().code);
        out.ascii(",\"startTimeUnixNano\":\"").decimal(span.startEpochNanos());
        out.ascii("\",\"endTimeUnixNano\":\"").decimal(span.endEpochNanos()).put('"');
        attributes(out, span.endAttributes());
        SpanDetails details = span.endDetails();
        if (details != null) {
            events(out, details);
            links(out, details);
            status(out, details);
        }
        flags(out, context, parent != null && parent.remote());
        out.put('}');
    }

    private static void ids(WireBuffer out, SpanContext context) {
        out.ascii("\"traceId\":\"").hex(context.traceIdHigh()).hex(context.traceIdLow());
        out.ascii("\",\"spanId\":\"").hex(context.spanId()).put('"');
        if (!context.traceState().isEmpty()) {
            out.ascii(",\"traceState\":").jsonString(context.traceState());
        }
    }

    private static void flags(WireBuffer out, SpanContext context, boolean remote) {
        out.ascii(",\"flags\":").decimal(SpanEncoder.flags(context, remote));
    }

    private static void events(WireBuffer out, SpanDetails details) {
        List<SpanDetails.Event> events = details.events;
        if (!events.isEmpty()) {
            out.ascii(",\"events\":");
            for (int i = 0; i < events.size(); i++) {
                SpanDetails.Event event = events.get(i);
                out.put(i == 0 ? '[' : ',').ascii("{\"timeUnixNano\":\"").decimal(event.epochNanos());
                out.ascii("\",\"name\":").jsonString(event.name());
                attributes(out, event.attributes());
                out.put('}');
            }
            out.put(']');
        }
        count(out, "droppedEventsCount", details.droppedEvents);
    }

    private static void links(WireBuffer out, SpanDetails details) {
        List<SpanDetails.Link> links = details.links;
        if (!links.isEmpty()) {
            out.ascii(",\"links\":");
            for (int i = 0; i < links.size(); i++) {
                SpanContext context = links.get(i).context();
                ids(out.put(i == 0 ? '[' : ',').put('{'), context);
                attributes(out, links.get(i).attributes());
                flags(out, context, context.remote());
                out.put('}');
            }
            out.put(']');
        }
        count(out, "droppedLinksCount", details.droppedLinks);
    }

    private static void status(WireBuffer out, SpanDetails details) {
        if (details.status != SpanStatus.UNSET) {
            out.ascii(",\"status\":{\"code\":").decimal(details.status.code);
            String description = details.description;
            if (description != null) {
                out.ascii(",\"message\":").jsonString(description);
            }
            out.put('}');
        }
    }

    private static void count(WireBuffer out, String name, int count) {
        if (count != 0) {
            out.ascii(",\"").ascii(name).ascii("\":").decimal(count);
        }
    }

    private static void attributes(WireBuffer out, @Nullable AttributeSet set) {
        if (set == null) {
            return;
        }
        if (set.size() > 0) {
            out.ascii(",\"attributes\":");
            for (int i = 0; i < set.size(); i++) {
                keyValue(out.put(i == 0 ? '[' : ','), set.key(i), set.value(i));
            }
            out.put(']');
        }
        count(out, "droppedAttributesCount", set.dropped());
    }

    private static void attributes(WireBuffer out, Attributes attributes) {
        out.put('[');
        for (int i = 0; i < attributes.size(); i++) {
            keyValue(i == 0 ? out : out.put(','), attributes.key(i), attributes.value(i));
        }
        out.put(']');
    }

    private static void keyValue(WireBuffer out, String key, Object value) {
        out.ascii("{\"key\":").jsonString(key).ascii(",\"value\":");
        value(out, value);
        out.put('}');
    }

    private static void value(WireBuffer out, Object value) {
        if (value instanceof Long number) {
            out.ascii("{\"intValue\":\"").decimal(number).put('"');
        } else if (value instanceof Boolean flag) {
            out.ascii("{\"boolValue\":").ascii(flag.toString());
        } else if (value instanceof Double number) {
            String text = number.toString();
            out.ascii("{\"doubleValue\":");
            // NaN and the infinities are not JSON numbers; as strings they have the names that Java uses
            out.ascii(Double.isFinite(number) ? text : '"' + text + '"');
        } else if (value instanceof byte[] bytes) {
            out.ascii("{\"bytesValue\":\"")
                    .put(Base64.getEncoder().encode(bytes))
                    .put('"');
        } else if (value instanceof List<?> list) {
            out.ascii("{\"arrayValue\":{\"values\":[");
            for (int i = 0; i < list.size(); i++) {
                value(i == 0 ? out : out.put(','), list.get(i));
            }
            out.ascii("]}");
        } else if (value instanceof Attributes map) {
            out.ascii("{\"kvlistValue\":{\"values\":");
            attributes(out, map);
            out.put('}');
        } else {
            out.ascii("{\"stringValue\":").jsonString((String) value);
        }
        out.put('}');
    }
}
