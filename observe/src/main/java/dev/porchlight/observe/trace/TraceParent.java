// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;
import org.jspecify.annotations.Nullable;

/** The header {@code traceparent}: {@code version-traceid-parentid-flags}, in lowercase hex. */
final class TraceParent {
    private static final int LENGTH = 55;

    private TraceParent() {}

    /** Returns the context of a header, without its trace state, or null if the header is invalid. */
    static @Nullable SpanContext parse(String header) {
        String text = trim(header);
        if (text.length() < LENGTH
                || text.charAt(2) != '-'
                || text.charAt(35) != '-'
                || text.charAt(52) != '-'
                || !hex(text, 0, 2)
                || !hex(text, 3, 35)
                || !hex(text, 36, 52)
                || !hex(text, 53, LENGTH)) {
            return null;
        }
        int version = (int) number(text, 0, 2);
        if (version == 0xff || text.length() > LENGTH && (version == 0 || text.charAt(LENGTH) != '-')) {
            return null;
        }
        int flags = (int) number(text, 53, LENGTH) & (SpanContext.SAMPLED | SpanContext.RANDOM);
        if (version > 0) {
            flags &= SpanContext.SAMPLED; // in a future version, other flags may have another meaning
        }
        SpanContext context =
                new SpanContext(number(text, 3, 19), number(text, 19, 35), number(text, 36, 52), flags, "", true);
        return context.valid() ? context : null;
    }

    static String format(SpanContext context) {
        return new WireBuffer(LENGTH)
                .ascii("00-")
                .hex(context.traceIdHigh())
                .hex(context.traceIdLow())
                .put('-')
                .hex(context.spanId())
                .ascii("-0")
                .decimal(context.flags() & (SpanContext.SAMPLED | SpanContext.RANDOM))
                .toString();
    }

    /** Removes the spaces and tabs that HTTP allows around a value. */
    static String trim(String text) {
        int from = 0;
        int end = text.length();
        while (from < end && blank(text.charAt(from))) {
            from++;
        }
        while (end > from && blank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(from, end);
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean hex(String text, int from, int end) {
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    /** Returns the value of digits that {@link #hex} has accepted. */
    private static long number(String text, int from, int end) {
        long value = 0;
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            value = value << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
        }
        return value;
    }
}
