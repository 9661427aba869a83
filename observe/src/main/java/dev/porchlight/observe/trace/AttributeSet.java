// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.otlp.KeyValues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Mutable attributes: keys and values alternate in one array, with linear search, because spans have few. The last
 * value of a key wins. Not thread-safe.
 */
final class AttributeSet implements KeyValues {
    private static final int FIRST_SLOTS = 12;

    private final int limit;
    private final int valueLength;
    private Object[] slots;
    private int used;

    /** A one-word Bloom filter of the keys, so that most new keys need no search. */
    private long seen;

    private int dropped;

    AttributeSet(TraceSettings.Limits limits, int expected) {
        this(limits.attributes(), limits.valueLength(), 2 * expected);
    }

    AttributeSet(int limit, int valueLength) {
        this(limit, valueLength, FIRST_SLOTS);
    }

    private AttributeSet(int limit, int valueLength, int slots) {
        this.limit = limit;
        this.valueLength = valueLength;
        this.slots = new Object[slots];
    }

    static AttributeSet of(Attributes given, int limit, int valueLength) {
        Attributes attributes = given == null ? Attributes.none() : given;
        AttributeSet set = new AttributeSet(limit, valueLength, Math.max(2, 2 * Math.min(limit, attributes.size())));
        set.putAll(attributes);
        return set;
    }

    /** Puts a value that {@link AttributeValues} returned. Ignores a null key or value. */
    void put(@Nullable String key, @Nullable Object value) {
        if (key == null || key.isEmpty() || value == null) {
            return;
        }
        Object kept = valueLength == Integer.MAX_VALUE ? value : AttributeValues.cut(value, valueLength);
        long bit = 1L << (key.hashCode() * 0x9e3779b9 >>> 26);
        if ((seen & bit) == 0 || !replace(key, kept)) {
            add(key, kept);
            seen |= bit;
        }
    }

    private boolean replace(String key, Object value) {
        for (int i = 0; i < used; i += 2) {
            if (slots[i].equals(key)) {
                slots[i + 1] = value;
                return true;
            }
        }
        return false;
    }

    private void add(String key, Object value) {
        int at = used;
        if (at >> 1 >= limit) {
            dropped++;
            return;
        }
        Object[] into = slots;
        if (at == into.length) {
            into = Arrays.copyOf(into, Math.max(FIRST_SLOTS, at * 2));
            slots = into;
        }
        into[at] = key;
        into[at + 1] = value;
        used = at + 2;
    }

    void putAll(Attributes attributes) {
        for (int i = 0; i < attributes.size(); i++) {
            put(attributes.key(i), attributes.value(i));
        }
    }

    /** Returns a copy of this set, which another thread may still be filling. */
    AttributeSet copy() {
        AttributeSet copy = new AttributeSet(limit, valueLength);
        Object[] given = slots;
        for (int i = 0; i < Math.min(used, given.length); i += 2) {
            copy.put((String) given[i], given[i + 1]);
        }
        copy.dropped += dropped;
        return copy;
    }

    /** Puts the values of a set that started as {@code before}, except unchanged ones. */
    void putChanges(AttributeSet set, Attributes before) {
        for (int i = 0; i < set.size(); i++) {
            if (i >= before.size() || set.value(i) != before.value(i)) {
                put(set.key(i), set.value(i));
            }
        }
        dropped = Math.max(dropped, set.dropped);
    }

    @Override
    public int size() {
        return used >> 1;
    }

    @Override
    public String key(int index) {
        return (String) slots[2 * index];
    }

    @Override
    public Object value(int index) {
        return slots[2 * index + 1];
    }

    int dropped() {
        return dropped;
    }

    Attributes toAttributes() {
        return used == 0 ? Attributes.none() : new Attributes(Arrays.copyOf(slots, used));
    }
}
