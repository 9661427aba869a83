// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.otlp.KeyValues;
import dev.porchlight.observe.wire.StackText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Names and values that describe a span, an event or a link. Immutable; create constant ones once and reuse them.
 *
 * <p>Values are strings, numbers, booleans, byte arrays, and lists, arrays and maps of these; anything else is
 * converted with {@code toString()}. Null values are ignored. The last value of a name wins.
 */
public final class Attributes implements KeyValues {
    private static final Attributes NONE = new Attributes(new Object[0]);

    private final Object[] slots;

    Attributes(Object[] slots) {
        this.slots = slots;
    }

    public static Attributes none() {
        return NONE;
    }

    public static Attributes of(String key, @Nullable Object value) {
        return pairs(key, value);
    }

    public static Attributes of(String k1, @Nullable Object v1, String k2, @Nullable Object v2) {
        return pairs(k1, v1, k2, v2);
    }

    public static Attributes of(
            String k1, @Nullable Object v1, String k2, @Nullable Object v2, String k3, @Nullable Object v3) {
        return pairs(k1, v1, k2, v2, k3, v3);
    }

    public static Attributes of(Map<String, ?> map) {
        if (map == null) {
            return NONE;
        }
        AttributeSet set = new AttributeSet(Integer.MAX_VALUE, Integer.MAX_VALUE);
        try {
            map.forEach((key, value) -> set.put(key, AttributeValues.of(value)));
        } catch (RuntimeException failure) { // the map's own code failed: keep the entries read so far
            set.put("attributes", StackText.errorText(failure));
        }
        return set.toAttributes();
    }

    /** Returns these attributes with one added or replaced. */
    public Attributes with(String key, @Nullable Object value) {
        AttributeSet set = AttributeSet.of(this, Integer.MAX_VALUE, Integer.MAX_VALUE);
        set.put(key, AttributeValues.of(value));
        return set.toAttributes();
    }

    @Override
    public int size() {
        return slots.length >> 1;
    }

    public void forEach(BiConsumer<String, Object> action) {
        for (int i = 0; i < size(); i++) {
            action.accept(key(i), value(i));
        }
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        forEach(map::put);
        return map;
    }

    @Override
    public String key(int index) {
        return (String) slots[2 * index];
    }

    @Override
    public Object value(int index) {
        return slots[2 * index + 1];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Attributes that && Arrays.deepEquals(slots, that.slots);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(slots);
    }

    @Override
    public String toString() {
        return toMap().toString();
    }

    private static Attributes pairs(@Nullable Object... pairs) {
        AttributeSet set = new AttributeSet(Integer.MAX_VALUE, Integer.MAX_VALUE);
        for (int i = 0; i < pairs.length; i += 2) {
            set.put((String) pairs[i], AttributeValues.of(pairs[i + 1]));
        }
        return set.toAttributes();
    }
}
