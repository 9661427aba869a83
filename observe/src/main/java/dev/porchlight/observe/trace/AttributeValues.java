// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.StackText;
import dev.porchlight.observe.wire.Truncation;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts any value to one of the OTLP types: {@code String}, {@code Boolean}, {@code Long}, {@code Double}, {@code
 * byte[]}, a list of these, or nested {@link Attributes}.
 *
 * <p>Containers are copied, because another thread reads them later. Never throws: a value whose own code fails is
 * replaced by an error text. Depth and number of elements are bounded, so a container may contain itself.
 */
final class AttributeValues {
    private static final int MAX_DEPTH = 8;
    private static final int MAX_ELEMENTS = 1024;
    private static final String CUT = "[cut]";

    private int elements;

    private AttributeValues() {}

    /** Converts a value. Null, which OTLP attributes cannot hold, stays null. */
    static @Nullable Object of(@Nullable Object value) {
        if (value == null || value instanceof String || value instanceof Long || value instanceof Boolean) {
            return value; // fast path for common types
        }
        try {
            return new AttributeValues().convert(value, 0);
        } catch (RuntimeException | Error e) {
            return StackText.errorText(e);
        }
    }

    /** Returns the value with strings and byte arrays truncated to {@code length}, between code points. */
    static Object cut(Object value, int length) {
        if (value instanceof String text) {
            return text.length() <= length ? text : text.substring(0, Truncation.before(text, length));
        }
        if (value instanceof byte[] bytes) {
            return bytes.length <= length ? bytes : Arrays.copyOf(bytes, length);
        }
        if (value instanceof List<?> list) {
            List<Object> shorter = new ArrayList<>(list.size());
            list.forEach(element -> shorter.add(cut(element, length)));
            return Collections.unmodifiableList(shorter);
        }
        if (value instanceof Attributes map) {
            return AttributeSet.of(map, Integer.MAX_VALUE, length).toAttributes();
        }
        return value;
    }

    private Object convert(@Nullable Object value, int depth) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String || value instanceof Long || value instanceof Boolean || value instanceof Double) {
            return value;
        }
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float number) {
            return number.doubleValue();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof Map<?, ?> map) {
            return depth == MAX_DEPTH ? CUT : map(map.entrySet(), depth + 1);
        }
        if (value instanceof Attributes attributes) {
            return depth == MAX_DEPTH ? CUT : map(attributes.toMap().entrySet(), depth + 1);
        }
        if (value instanceof Collection<?> collection) {
            return depth == MAX_DEPTH ? CUT : list(collection, depth + 1);
        }
        if (value.getClass().isArray()) {
            return depth == MAX_DEPTH ? CUT : array(value, depth + 1);
        }
        return String.valueOf((Object) value.toString()); // toString() may return null
    }

    private Attributes map(Collection<? extends Map.Entry<?, ?>> entries, int depth) {
        AttributeSet set = new AttributeSet(MAX_ELEMENTS, Integer.MAX_VALUE);
        for (Map.Entry<?, ?> entry : entries) {
            if (++elements > MAX_ELEMENTS) {
                break;
            }
            set.put(String.valueOf(entry.getKey()), convert(entry.getValue(), depth));
        }
        return set.toAttributes();
    }

    private List<Object> list(Collection<?> collection, int depth) {
        List<Object> list = new ArrayList<>();
        for (Object element : collection) {
            if (++elements > MAX_ELEMENTS) {
                break;
            }
            list.add(convert(element, depth));
        }
        return Collections.unmodifiableList(list);
    }

    private List<Object> array(Object array, int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array) && ++elements <= MAX_ELEMENTS; i++) {
            list.add(convert(Array.get(array, i), depth));
        }
        return Collections.unmodifiableList(list);
    }
}
