// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An encoder of canonical CTAP2 CBOR: shortest definite lengths, sorted map keys.
 *
 * <p>Values are {@code Integer}, {@code Long}, {@code byte[]}, {@code String}, {@code Boolean}, {@code List},
 * {@code Map} and {@link Raw}, which inserts arbitrary octets.
 */
public final class Cbor {
    /** Octets that are written unchanged, canonical or not. */
    public static final class Raw {
        private final byte[] octets;

        public Raw(byte[] octets) {
            this.octets = octets;
        }
    }

    /** By major type, then shorter keys first, then by value: the CTAP2 order. */
    private static final Comparator<byte[]> KEY_ORDER = Comparator.<byte[]>comparingInt(key -> key[0] & 0xe0)
            .thenComparingInt(key -> key.length)
            .thenComparing(Arrays::compareUnsigned);

    private Cbor() {}

    public static byte[] encode(Object value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(value, out);
        return out.toByteArray();
    }

    /** Creates a mutable map from alternating keys and values. */
    public static Map<Object, Object> map(Object... keysAndValues) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** Encodes the head of an item: its major type and its count or length, in the shortest form. */
    public static byte[] head(int majorType, long argument) {
        int major = majorType << 5;
        if (argument < 24) {
            return Octets.of(major | (int) argument);
        }
        int width = argument < 1L << 8 ? 1 : argument < 1L << 16 ? 2 : argument < 1L << 32 ? 4 : 8;
        int info = 24 + Integer.numberOfTrailingZeros(width);
        return Octets.join(Octets.of(major | info), Octets.bigEndian(argument, width));
    }

    private static void write(Object value, ByteArrayOutputStream out) {
        if (value instanceof Raw raw) {
            out.writeBytes(raw.octets);
        } else if (value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            out.writeBytes(number < 0 ? head(1, -1 - number) : head(0, number));
        } else if (value instanceof byte[] bytes) {
            out.writeBytes(head(2, bytes.length));
            out.writeBytes(bytes);
        } else if (value instanceof String text) {
            byte[] utf8 = Octets.utf8(text);
            out.writeBytes(head(3, utf8.length));
            out.writeBytes(utf8);
        } else if (value instanceof List<?> list) {
            out.writeBytes(head(4, list.size()));
            list.forEach(item -> write(item, out));
        } else if (value instanceof Map<?, ?> map) {
            writeMap(map, out);
        } else if (value instanceof Boolean flag) {
            out.write(flag ? 0xf5 : 0xf4);
        } else {
            throw new IllegalArgumentException("no CBOR encoding for " + value.getClass());
        }
    }

    private static void writeMap(Map<?, ?> map, ByteArrayOutputStream out) {
        Map<byte[], Object> sorted = new TreeMap<>(KEY_ORDER);
        map.forEach((key, value) -> sorted.put(encode(key), value));
        out.writeBytes(head(5, sorted.size()));
        sorted.forEach((key, value) -> {
            out.writeBytes(key);
            write(value, out);
        });
    }
}
