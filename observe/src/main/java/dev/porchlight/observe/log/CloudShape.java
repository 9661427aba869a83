// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.WireBuffer;
import org.jspecify.annotations.Nullable;

/** The JSON that Google Cloud's log agents read, with the names and types they expect. */
final class CloudShape extends JsonShape {
    private static final byte[] TIMESTAMP = bytes("{\"timestamp\":\"");
    private static final byte[] TIME = bytes("\",\"time\":\"");
    private static final byte[] SPAN_ID = bytes("\",\"logging.googleapis.com/spanId\":\"");
    private static final byte[] SAMPLED = bytes("\",\"logging.googleapis.com/trace_sampled\":");

    private final byte[] traceStart;

    /** Makes Error Reporting accept a line without a stack trace as an error. */
    private final byte[] reportedError;

    CloudShape(String service, @Nullable String project, @Nullable String version) {
        super("severity", CloudShape::severity, service);
        WireBuffer trace = new WireBuffer(64).ascii(",\"logging.googleapis.com/trace\":\"");
        if (project != null) {
            trace.ascii("projects/").jsonChars(project, 0, project.length()).ascii("/traces/");
        }
        traceStart = trace.toByteArray();
        WireBuffer error = new WireBuffer(256)
                .ascii(
                        ",\"@type\":\"type.googleapis.com/google.devtools.clouderrorreporting.v1beta1.ReportedErrorEvent\"")
                .ascii(",\"serviceContext\":{\"service\":")
                .jsonString(service);
        if (version != null) {
            error.ascii(",\"version\":").jsonString(version);
        }
        reportedError = error.put('}').toByteArray();
    }

    private static String severity(Level level) {
        return switch (level) {
            case TRACE, DEBUG -> "DEBUG";
            case INFO -> "INFO";
            case WARN -> "WARNING";
            case ERROR, FATAL -> "ERROR";
        };
    }

    /** Writes both {@code time}, which the agents read, and {@code timestamp}, which they keep as a field. */
    @Override
    void begin(Line line, long epochMillis, Level level, String message) {
        line.out.put(TIMESTAMP);
        line.time.writeTo(line.out, epochMillis);
        line.out.put(TIME);
        line.time.writeTo(line.out, epochMillis);
        head(line, level, message);
    }

    @Override
    void trace(Line line, SpanContext trace) {
        line.out
                .put(traceStart)
                .hex(trace.traceIdHigh())
                .hex(trace.traceIdLow())
                .put(SPAN_ID);
        line.out.hex(trace.spanId()).put(SAMPLED);
        line.values.bool(trace.sampled());
    }

    @Override
    void thrown(Line line, Level level, @Nullable Throwable thrown) {
        StackText stack = thrown == null ? null : StackText.of(thrown);
        if (stack != null) {
            exception(line, stack);
        }
        if (level.compareTo(Level.ERROR) >= 0 && (stack == null || stack.frames() == 0)) {
            line.out.put(reportedError);
        }
    }

    @Override
    void value(Line line, FieldName name, @Nullable Object value) {
        if (name.printed.equals("httpRequest")) {
            line.values.write(CloudHttpRequest.typed(value));
        } else {
            super.value(line, name, value);
        }
    }
}
