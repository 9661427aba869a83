// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.Truncation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one exported record: copies of the fields, redacted like those of a line, and bounded in depth,
 * elements and characters. Not thread-safe.
 */
final class LogValues {
    private final FieldNames names;
    private final Map<String, Object> values = new LinkedHashMap<>();
    private int left = Line.MAX_BYTES;
    private int dropped;

    LogValues(FieldNames names) {
        this.names = names;
    }

    /** Adds a converted value, unless the record is full. */
    void add(String name, @Nullable Object value) {
        if (value == null) {
            return;
        }
        if (left <= 0) {
            dropped++;
            return;
        }
        left -= name.length() + (value instanceof String text ? text.length() : 0) + Long.BYTES;
        values.put(name, value);
    }

    /** Adds a text, truncated to {@code max} characters. */
    void text(String name, @Nullable String text, int max) {
        if (text != null) {
            add(name, bounded(text, max));
        }
    }

    Attributes attributes() {
        return Attributes.of(values);
    }

    int dropped() {
        return dropped;
    }

    int size() {
        return Line.MAX_BYTES - left;
    }

    /** Converts the value of a field. The value of a secret is not read. Never throws. */
    @Nullable
    Object of(FieldName name, @Nullable Object value) {
        if (name.secret) {
            return Secrets.REDACTED;
        }
        try {
            return convert(value, 0);
        } catch (Throwable failure) { // a value that throws must not fail the log call
            return StackText.errorText(failure);
        }
    }

    private @Nullable Object convert(@Nullable Object value, int depth) {
        if (value instanceof String text) {
            return bounded(text, ValueWriter.MAX_STRING);
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        if (value instanceof char[]) {
            return Secrets.REDACTED; // a char[] usually holds a password
        }
        if (value instanceof byte[] binary) {
            return Arrays.copyOf(binary, Math.min(binary.length, ValueWriter.MAX_BINARY));
        }
        if (depth == ValueWriter.MAX_DEPTH) {
            return "[too deep]";
        }
        if (value instanceof Supplier<?> supplier) {
            return convert(supplier.get(), depth + 1);
        }
        if (value instanceof Fields fields) {
            return map(fields.toMap(), depth + 1);
        }
        if (value instanceof Map<?, ?> map) {
            return map(map, depth + 1);
        }
        if (value instanceof Collection<?> collection) {
            return list(collection, depth + 1);
        }
        if (value instanceof Object[] array) {
            return list(Arrays.asList(array), depth + 1);
        }
        return value.getClass().isArray() ? value : bounded(String.valueOf(value.toString()), ValueWriter.MAX_STRING);
    }

    private Map<String, @Nullable Object> map(Map<?, ?> map, int depth) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (full(copy.size())) {
                break;
            }
            FieldName name = names.of(String.valueOf(entry.getKey()));
            left -= name.nested.length();
            copy.put(name.nested, name.secret ? Secrets.REDACTED : convert(entry.getValue(), depth));
        }
        return copy;
    }

    private List<@Nullable Object> list(Collection<?> elements, int depth) {
        List<@Nullable Object> copy = new ArrayList<>();
        for (Object element : elements) {
            if (full(copy.size())) {
                break;
            }
            left -= Long.BYTES;
            copy.add(convert(element, depth));
        }
        return copy;
    }

    private boolean full(int elements) {
        return elements == ValueWriter.MAX_ELEMENTS || left <= 0;
    }

    static String bounded(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Truncation.before(text, max);
        return text.substring(0, end) + Truncation.mark(text.length() - (long) end);
    }
}
