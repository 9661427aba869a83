// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.ShortestDouble;
import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.Truncation;
import dev.porchlight.observe.wire.WireBuffer;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes any value as JSON, bounded in depth, elements, characters and bytes. Never throws, even if the value's own
 * code does. Not thread-safe; reusable.
 */
final class ValueWriter {
    static final int MAX_DEPTH = 8;
    static final int MAX_ELEMENTS = 256;
    static final int MAX_STRING = 16 * 1024;
    static final int MAX_BINARY = 1024;
    private static final String MORE = "…";

    private final WireBuffer out;
    private final FieldNames names;

    /** The containers being written, outermost first. */
    private final @Nullable Object[] open = new Object[MAX_DEPTH];

    private int depth;
    private int end = Line.FIELDS_END;

    ValueWriter(WireBuffer out, FieldNames names) {
        this.out = out;
        this.names = names;
    }

    /** Sets the line length at which values are truncated. */
    void endAt(int length) {
        end = length;
    }

    boolean full() {
        return out.length() >= end;
    }

    void write(@Nullable Object value) {
        int mark = out.length();
        int outside = depth;
        try {
            scalar(value);
        } catch (Throwable failure) { // a value that throws must not fail the log call
            Arrays.fill(open, outside, MAX_DEPTH, null);
            depth = outside;
            out.truncate(mark);
            text(StackText.errorText(failure), MAX_STRING);
        }
    }

    void text(String text, int maxBytes) {
        Truncation.jsonString(out, text, Math.min(maxBytes, end - out.length()));
    }

    void bool(boolean value) {
        out.ascii(value ? "true" : "false");
    }

    /** Writes a JSON number, or a string if JSON cannot represent it. */
    void number(double value) {
        if (Double.isFinite(value)) {
            ShortestDouble.write(out, value);
        } else {
            out.put('"').ascii(Double.toString(value)).put('"');
        }
    }

    private void scalar(@Nullable Object value) {
        if (value instanceof String text) {
            text(text, MAX_STRING);
        } else if (value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte) {
            out.decimal(((Number) value).longValue());
        } else if (value instanceof Boolean bool) {
            bool(bool);
        } else if (value instanceof Double || value instanceof Float) {
            number(((Number) value).doubleValue());
        } else if (value == null) {
            out.ascii("null");
        } else if (value instanceof AtomicLong || value instanceof AtomicInteger) {
            out.decimal(((Number) value).longValue());
        } else {
            container(value);
        }
    }

    private void container(Object value) {
        if (value instanceof byte[] binary) {
            binary(binary);
        } else if (value instanceof char[]) {
            text(Secrets.REDACTED, MAX_STRING); // a char[] usually holds a password
        } else if (value instanceof Map<?, ?> map) {
            if (enter(value)) {
                object(map);
                leave();
            }
        } else if (value instanceof Fields fields) {
            write(fields.toMap());
        } else if (value instanceof Collection<?> collection) {
            if (enter(value)) {
                array(collection.iterator(), collection.size());
                leave();
            }
        } else if (value.getClass().isArray()) {
            if (enter(value)) {
                array(elementsOf(value), Array.getLength(value));
                leave();
            }
        } else if (value instanceof Supplier<?> supplier) {
            if (enter(value)) {
                write(supplier.get());
                leave();
            }
        } else {
            text(String.valueOf(value.toString()), MAX_STRING);
        }
    }

    private void object(Map<?, ?> map) {
        Map<String, @Nullable Object> entries = printable(map);
        boolean marked = false;
        int left = entries.size();
        out.put('{');
        for (Map.Entry<String, @Nullable Object> entry : entries.entrySet()) {
            boolean full = full(); // computed once: the comma may fill the line
            if (full && marked) {
                break;
            }
            if (left < entries.size()) {
                out.put(',');
            }
            if (full) {
                out.jsonString(MORE).put(':').jsonString(more(left));
                break;
            }
            marked |= entry.getKey().equals(MORE);
            out.jsonString(entry.getKey()).put(':');
            write(entry.getValue());
            left--;
        }
        out.put('}');
    }

    /** Returns the entries to print: secrets redacted, and one per printed name, since different keys may print the same. */
    private Map<String, @Nullable Object> printable(Map<?, ?> map) {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        int total = map.size();
        int read = 0;
        for (Iterator<? extends Map.Entry<?, ?>> all = map.entrySet().iterator();
                all.hasNext() && read < MAX_ELEMENTS; ) {
            Map.Entry<?, ?> entry = all.next();
            FieldName name = names.of(String.valueOf(entry.getKey()));
            entries.put(name.nested, name.secret ? Secrets.REDACTED : entry.getValue());
            read++;
        }
        if (total > read) {
            entries.put(MORE, more(total - read));
        }
        return entries;
    }

    private static String more(int count) {
        return "[+" + count + "]";
    }

    private void array(Iterator<?> elements, int total) {
        out.put('[');
        for (int i = 0; elements.hasNext(); i++) {
            if (i > 0) {
                out.put(',');
            }
            if (i == MAX_ELEMENTS || full()) {
                out.jsonString(Truncation.mark(Math.max(1, total - i)));
                break;
            }
            write(elements.next());
        }
        out.put(']');
    }

    private static Iterator<?> elementsOf(Object array) {
        int count = Array.getLength(array);
        return IntStream.range(0, count).mapToObj(i -> Array.get(array, i)).iterator();
    }

    private void binary(byte[] bytes) {
        byte[] head = Arrays.copyOf(bytes, Math.min(bytes.length, MAX_BINARY));
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(head);
        int missing = bytes.length - head.length;
        text(missing == 0 ? text : text + Truncation.mark(missing), MAX_STRING);
    }

    /** Opens a container, or writes the reason why it is omitted. */
    private boolean enter(Object container) {
        for (int i = 0; i < depth; i++) {
            if (open[i] == container) {
                out.jsonString("[cycle]");
                return false;
            }
        }
        if (depth == MAX_DEPTH) {
            out.jsonString("[too deep]");
            return false;
        }
        open[depth++] = container;
        return true;
    }

    private void leave() {
        open[--depth] = null;
    }
}
