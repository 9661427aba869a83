// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.trace.SpanContext;
import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.Truncation;
import dev.porchlight.observe.wire.WireBuffer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Text for a terminal. Values cannot break a line or change a color. */
final class ConsoleShape extends LineShape {
    private static final String DIM = "2";

    private final boolean color;

    /** The text between the time and the message, by level. */
    private final byte[][] heads;

    ConsoleShape(String service, boolean color) {
        this.color = color;
        heads = Stream.of(Level.values()).map(level -> head(level, service)).toArray(byte[][]::new);
    }

    private byte[] head(Level level, String service) {
        WireBuffer out = new WireBuffer(64).put(' ');
        paint(out, hue(level), String.format("%-5s", level));
        paint(out.put(' '), DIM, service);
        return out.put(' ').put(' ').toByteArray();
    }

    private static String hue(Level level) {
        return switch (level) {
            case TRACE, DEBUG -> DIM;
            case INFO -> "32";
            case WARN -> "33";
            case ERROR, FATAL -> "31;1";
        };
    }

    private void paint(WireBuffer out, String hue, String text) {
        if (color) {
            out.put(0x1b).put('[').ascii(hue).put('m');
        }
        out.printable(text, 0, text.length());
        if (color) {
            out.put(0x1b).ascii("[0m");
        }
    }

    @Override
    byte[] name(String printed) {
        WireBuffer out = new WireBuffer(32).put(' ');
        paint(out, DIM, (isWord(printed) ? printed : new WireBuffer(32).jsonString(printed)) + "=");
        return out.toByteArray();
    }

    @Override
    void begin(Line line, long epochMillis, Level level, String message) {
        line.time.writeTimeOfDay(line.out, epochMillis);
        line.out.put(heads[level.rank]);
        Truncation.printable(line.out, message, ValueWriter.MAX_STRING);
    }

    @Override
    void trace(Line line, SpanContext trace) {
        line.out.put(name("trace_id")).hex(trace.traceIdHigh()).hex(trace.traceIdLow());
    }

    @Override
    void thrown(Line line, Level level, @Nullable Throwable thrown) {
        // written below the line by end()
    }

    @Override
    void value(Line line, FieldName name, @Nullable Object value) {
        if (value instanceof String text && isWord(text)) {
            line.out.ascii(text);
        } else {
            super.value(line, name, value);
        }
    }

    private static boolean isWord(String text) {
        return !text.isEmpty()
                && text.length() <= 256
                && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\' && c != '=');
    }

    @Override
    void end(Line line, @Nullable Throwable thrown, int fieldsOmitted) {
        if (fieldsOmitted > 0) {
            line.out.put(name("truncated")).decimal(fieldsOmitted);
        }
        line.out.put('\n');
        if (thrown != null) {
            StackText.ofOneLineMessages(thrown).text().lines().forEach(text -> stackLine(line, text));
        }
    }

    private static void stackLine(Line line, String text) {
        int room = Line.MAX_BYTES - line.out.length() - 64;
        if (room > 0) {
            line.out.ascii("    ");
            Truncation.printable(line.out, text.replace("\t", "    "), room);
            line.out.put('\n');
        }
    }
}
