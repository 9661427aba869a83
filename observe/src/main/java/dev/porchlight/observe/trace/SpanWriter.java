// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.otlp.OtlpWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes spans, with the field numbers of {@code opentelemetry/proto/trace/v1/trace.proto}. */
final class SpanWriter {
    private SpanWriter() {}

    static void write(OtlpWriter out, int field, List<Span> batch, int index) {
        Span span = batch.get(index);
        SpanContext context = span.context();
        SpanContext parent = span.parent();
        int start = out.element(field);
        ids(out, context);
        if (parent != null) {
            out.spanId(4, "parentSpanId", parent.spanId());
        }
        out.text(5, "name", span.name());
        out.number(6, "kind", span.kind().code);
        out.fixed64(7, "startTimeUnixNano", span.startEpochNanos());
        out.fixed64(8, "endTimeUnixNano", span.endEpochNanos());
        attributes(out, 9, 10, span.endAttributes());
        SpanDetails details = span.endDetails();
        if (details != null) {
            events(out, details);
            links(out, details);
            status(out, details);
        }
        flags(out, 16, context, parent != null && parent.remote());
        out.end(start);
    }

    private static void ids(OtlpWriter out, SpanContext context) {
        out.traceId(1, "traceId", context.traceIdHigh(), context.traceIdLow());
        out.spanId(2, "spanId", context.spanId());
        out.optionalText(3, "traceState", context.traceState());
    }

    /** Writes the W3C flags, and whether the parent or linked span is remote. */
    private static void flags(OtlpWriter out, int field, SpanContext own, boolean remote) {
        out.fixed32(field, "flags", own.flags() & 0xff | 0x100 | (remote ? 0x200 : 0));
    }

    private static void events(OtlpWriter out, SpanDetails details) {
        if (!details.events.isEmpty()) {
            out.list("events");
            for (SpanDetails.Event event : details.events) {
                int start = out.element(11);
                out.fixed64(1, "timeUnixNano", event.epochNanos());
                out.text(2, "name", event.name());
                attributes(out, 3, 4, event.attributes());
                out.end(start);
            }
            out.endList();
        }
        out.optionalNumber(12, "droppedEventsCount", details.droppedEvents);
    }

    private static void links(OtlpWriter out, SpanDetails details) {
        if (!details.links.isEmpty()) {
            out.list("links");
            for (SpanDetails.Link link : details.links) {
                int start = out.element(13);
                ids(out, link.context());
                attributes(out, 4, 5, link.attributes());
                flags(out, 6, link.context(), link.context().remote());
                out.end(start);
            }
            out.endList();
        }
        out.optionalNumber(14, "droppedLinksCount", details.droppedLinks);
    }

    private static void status(OtlpWriter out, SpanDetails details) {
        if (details.status != SpanStatus.UNSET) {
            int start = out.begin(15, "status");
            String description = details.description;
            if (description != null) {
                out.text(2, "message", description);
            }
            out.number(3, "code", details.status.code);
            out.end(start);
        }
    }

    private static void attributes(OtlpWriter out, int field, int droppedField, @Nullable AttributeSet set) {
        if (set != null) {
            out.attributes(field, set);
            out.optionalNumber(droppedField, "droppedAttributesCount", set.dropped());
        }
    }
}
