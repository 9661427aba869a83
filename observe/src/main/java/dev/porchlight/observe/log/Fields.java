// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.StackText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Named values for one log line, in insertion order.
 *
 * <p>A logger keeps no reference, so an instance can be cleared and reused. Primitives are stored without boxing. The
 * last value of a name wins. Not thread-safe.
 */
public final class Fields {
    /** Marks a primitive value, whose bits are stored in a separate array. */
    private enum Primitive {
        LONG,
        DOUBLE,
        BOOLEAN
    }

    private String[] names;
    private @Nullable Object[] values;
    private long[] bits;
    private int size;

    public Fields() {
        this(8);
    }

    private Fields(int capacity) {
        names = new String[capacity];
        values = new Object[capacity];
        bits = new long[capacity];
    }

    public static Fields of(String name, @Nullable Object value) {
        return new Fields(2).put(name, value);
    }

    public static Fields of(String name1, @Nullable Object value1, String name2, @Nullable Object value2) {
        return new Fields(2).put(name1, value1).put(name2, value2);
    }

    /** Copies the entries of a map. If reading the map fails, the field {@code fields} reports the failure. */
    public static Fields of(Map<String, ?> map) {
        Fields fields = new Fields();
        if (map == null) {
            return fields;
        }
        try {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                fields.put(String.valueOf(entry.getKey()), entry.getValue());
            }
        } catch (RuntimeException failure) {
            fields.put("fields", StackText.errorText(failure));
        }
        return fields;
    }

    public Fields put(String name, @Nullable Object value) {
        return add(name, value, 0);
    }

    public Fields put(String name, long value) {
        return add(name, Primitive.LONG, value);
    }

    public Fields put(String name, double value) {
        return add(name, Primitive.DOUBLE, Double.doubleToRawLongBits(value));
    }

    public Fields put(String name, boolean value) {
        return add(name, Primitive.BOOLEAN, value ? 1 : 0);
    }

    /** Adds a character; without this overload it would be converted to a number. */
    public Fields put(String name, char value) {
        return add(name, String.valueOf(value), 0);
    }

    /** Removes all fields, for reuse. Old values stay reachable until they are overwritten. */
    public Fields clear() {
        size = 0;
        return this;
    }

    public int size() {
        return size;
    }

    /** Returns these fields as a map with the last value of each name. */
    public Map<String, @Nullable Object> toMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(names[i], value(i));
        }
        return map;
    }

    @Override
    public String toString() {
        return toMap().keySet().toString(); // without values: they may be secrets
    }

    String name(int index) {
        return names[index];
    }

    @Nullable
    Object value(int index) {
        Object value = values[index];
        if (value instanceof Primitive kind) {
            return switch (kind) {
                case LONG -> bits[index];
                case DOUBLE -> Double.longBitsToDouble(bits[index]);
                case BOOLEAN -> bits[index] != 0;
            };
        }
        return value;
    }

    /** Writes the value at {@code index} to the line with {@code shape}, without boxing primitives. */
    void write(int index, Line line, FieldName name, LineShape shape) {
        Object value = values[index];
        if (!(value instanceof Primitive kind)) {
            shape.value(line, name, value);
            return;
        }
        switch (kind) {
            case LONG -> line.out.decimal(bits[index]);
            case DOUBLE -> line.values.number(Double.longBitsToDouble(bits[index]));
            case BOOLEAN -> line.values.bool(bits[index] != 0);
        }
    }

    private Fields add(String name, @Nullable Object value, long valueBits) {
        if (size == names.length) {
            int capacity = size * 2;
            names = Arrays.copyOf(names, capacity);
            values = Arrays.copyOf(values, capacity);
            bits = Arrays.copyOf(bits, capacity);
        }
        names[size] = String.valueOf((Object) name); // a null name would fail later, in the middle of a line
        values[size] = value;
        bits[size++] = valueBits;
        return this;
    }
}
