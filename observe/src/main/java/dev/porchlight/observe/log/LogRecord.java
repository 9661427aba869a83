// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.otlp.OtlpWriter;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.SpanContext;
import java.util.List;

/**
 * An exported line.
 *
 * @param dropped the number of attributes that did not fit
 * @param size the approximate number of characters
 */
record LogRecord(
        long epochNanos, Level level, String message, SpanContext trace, Attributes attributes, int dropped, int size) {
    /** Writes a record, with the field numbers of {@code opentelemetry/proto/logs/v1/logs.proto}. */
    static void write(OtlpWriter out, int field, List<LogRecord> batch, int index) {
        LogRecord line = batch.get(index);
        int start = out.element(field);
        out.fixed64(1, "timeUnixNano", line.epochNanos);
        out.fixed64(11, "observedTimeUnixNano", line.epochNanos);
        out.number(2, "severityNumber", 4 * line.level.rank + 1);
        out.text(3, "severityText", line.level.name());
        out.value(5, "body", line.message);
        out.attributes(6, line.attributes);
        out.optionalNumber(7, "droppedAttributesCount", line.dropped);
        if (line.trace.valid()) {
            out.fixed32(8, "flags", line.trace.flags() & 0xff);
            out.traceId(9, "traceId", line.trace.traceIdHigh(), line.trace.traceIdLow());
            out.spanId(10, "spanId", line.trace.spanId());
        }
        out.end(start);
    }
}
