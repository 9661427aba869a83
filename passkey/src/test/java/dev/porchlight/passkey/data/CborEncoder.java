// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** A minimal CBOR encoder for tests. */
public final class CborEncoder {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private CborEncoder() {}

    /** Encodes a value. */
    public static Bytes encode(CborValue value) {
        var encoder = new CborEncoder();
        encoder.write(value);
        return Bytes.copyOf(encoder.out.toByteArray());
    }

    /** Creates a map from alternating keys and values, given as Java values. */
    public static CborMap map(Object... keysAndValues) {
        List<CborValue> keys = new ArrayList<>();
        List<CborValue> values = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            keys.add(value(keysAndValues[i]));
            values.add(value(keysAndValues[i + 1]));
        }
        return new CborMap(keys, values);
    }

    /** Creates an array from Java values. */
    public static CborValue.Array array(Object... items) {
        return new CborValue.Array(Arrays.stream(items)
                .map((Function<Object, CborValue>) CborEncoder::value)
                .toList());
    }

    private static CborValue value(Object plain) {
        if (plain instanceof CborValue value) {
            return value;
        }
        if (plain instanceof Number number) {
            return new CborValue.Int(number.longValue());
        }
        if (plain instanceof String text) {
            return new CborValue.Text(text);
        }
        if (plain instanceof Boolean truth) {
            return new CborValue.Bool(truth);
        }
        return new CborValue.ByteString((Bytes) plain);
    }

    private void write(CborValue value) {
        if (value instanceof CborValue.Int number) {
            boolean negative = number.value() < 0;
            head(negative ? 1 : 0, negative ? -1 - number.value() : number.value());
        } else if (value instanceof CborValue.ByteString bytes) {
            head(2, bytes.value().size());
            out.writeBytes(bytes.value().toByteArray());
        } else if (value instanceof CborValue.Text text) {
            Bytes utf8 = Bytes.ofUtf8(text.value());
            head(3, utf8.size());
            out.writeBytes(utf8.toByteArray());
        } else if (value instanceof CborValue.Array array) {
            head(4, array.items().size());
            array.items().forEach(this::write);
        } else if (value instanceof CborMap map) {
            head(5, map.size());
            for (CborValue key : map.keys()) {
                write(key);
                write(map.get(key));
            }
        } else if (value instanceof CborValue.Bool truth) {
            out.write(truth.value() ? 0xf5 : 0xf4);
        } else {
            out.write(0xf6);
        }
    }

    private void head(int major, long argument) {
        int width = argument < 24 ? 0 : argument < 0x100 ? 1 : argument < 0x10000 ? 2 : argument < 1L << 32 ? 4 : 8;
        int info = width == 0 ? (int) argument : 24 + Integer.numberOfTrailingZeros(width);
        out.write(major << 5 | info);
        for (int i = width - 1; i >= 0; i--) {
            out.write((int) (argument >>> (8 * i)));
        }
    }
}
