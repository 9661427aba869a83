// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Attributes while they are still being set: keys and values side by side in one array, searched from the front, because
 * spans have few. A key is held once; the last value wins. Not thread-safe.
 */
final class AttributeSet {
    private static final int FIRST_SLOTS = 16;

    private final int limit;
    private final int valueLength;
    private Object[] slots;
    private int used;
    private int dropped;

    AttributeSet(int limit, int valueLength) {
        this(limit, valueLength, FIRST_SLOTS);
    }

    private AttributeSet(int limit, int valueLength, int slots) {
        this.limit = limit;
        this.valueLength = valueLength;
        this.slots = new Object[slots];
    }

    static AttributeSet of(Attributes attributes, int limit, int valueLength) {
        AttributeSet set = new AttributeSet(limit, valueLength, Math.max(2, 2 * Math.min(limit, attributes.size())));
        set.putAll(attributes);
        return set;
    }

    /** Puts a value of one of the kinds {@link AttributeValues} makes; no key or no value is no attribute. */
    void put(@Nullable String key, @Nullable Object value) {
        if (key == null || key.isEmpty() || value == null) {
            return;
        }
        Object kept = valueLength == Integer.MAX_VALUE ? value : AttributeValues.cut(value, valueLength);
        for (int i = 0; i < used; i += 2) {
            if (slots[i].equals(key)) {
                slots[i + 1] = kept;
                return;
            }
        }
        if (used >> 1 >= limit) {
            dropped++;
            return;
        }
        if (used == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(FIRST_SLOTS, used * 2));
        }
        slots[used++] = key;
        slots[used++] = kept;
    }

    void putAll(Attributes attributes) {
        for (int i = 0; i < attributes.size(); i++) {
            put(attributes.key(i), attributes.value(i));
        }
    }

    int size() {
        return used >> 1;
    }

    String key(int index) {
        return (String) slots[2 * index];
    }

    Object value(int index) {
        return slots[2 * index + 1];
    }

    int dropped() {
        return dropped;
    }

    Attributes toAttributes() {
        return used == 0 ? Attributes.none() : new Attributes(Arrays.copyOf(slots, used));
    }
}
