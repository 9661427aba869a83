// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One JSON object per line. */
class JsonShape extends LineShape {
    private static final int MAX_EXCEPTION_MESSAGE = 2 * 1024;
    private static final byte[] TIMESTAMP = bytes("{\"timestamp\":\"");
    private static final byte[] TRACE_ID = bytes(",\"trace_id\":\"");
    private static final byte[] SPAN_ID = bytes("\",\"span_id\":\"");
    private static final byte[] TRACE_FLAGS = bytes("\",\"trace_flags\":\"");

    /** The text between the time and the message, by level. */
    private final byte[][] heads;

    JsonShape(String service) {
        this("level", Level::label, service);
    }

    JsonShape(String levelName, Function<Level, String> levelWord, String service) {
        heads = Stream.of(Level.values())
                .map(level -> new WireBuffer(64)
                        .ascii("\",\"" + levelName + "\":\"" + levelWord.apply(level) + "\",\"service\":")
                        .jsonString(service)
                        .ascii(",\"message\":")
                        .toByteArray())
                .toArray(byte[][]::new);
    }

    @Override
    final byte[] name(String printed) {
        return new WireBuffer(32).put(',').jsonString(printed).put(':').toByteArray();
    }

    @Override
    void begin(Line line, long epochMillis, Level level, String message) {
        line.out.put(TIMESTAMP);
        line.time.writeTo(line.out, epochMillis);
        head(line, level, message);
    }

    final void head(Line line, Level level, String message) {
        line.out.put(heads[level.rank]);
        line.values.text(message, ValueWriter.MAX_STRING);
    }

    @Override
    void trace(Line line, SpanContext trace) {
        line.out
                .put(TRACE_ID)
                .hex(trace.traceIdHigh())
                .hex(trace.traceIdLow())
                .put(SPAN_ID)
                .hex(trace.spanId())
                .put(TRACE_FLAGS)
                .put('0') // only the two lowest bits are defined
                .put('0' + (trace.flags() & 3))
                .put('"');
    }

    @Override
    void thrown(Line line, Level level, @Nullable Throwable thrown) {
        if (thrown != null) {
            exception(line, StackText.of(thrown));
        }
    }

    static void exception(Line line, StackText stack) {
        line.out.ascii(",\"exception\":{\"class\":").jsonString(stack.type());
        String message = stack.message();
        if (message != null) {
            line.out.ascii(",\"message\":");
            line.values.text(message, MAX_EXCEPTION_MESSAGE);
        }
        line.out.ascii(",\"hash\":\"").hex(stack.hash()).ascii("\"},\"stack_trace\":");
        line.values.text(stack.text(), StackText.MAX_LENGTH);
    }

    @Override
    final void end(Line line, @Nullable Throwable thrown, int fieldsOmitted) {
        if (fieldsOmitted > 0) {
            line.out.ascii(",\"truncated\":").decimal(fieldsOmitted);
        }
        line.out.put('}').put('\n');
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
