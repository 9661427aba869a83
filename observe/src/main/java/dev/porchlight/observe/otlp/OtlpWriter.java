// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of OTLP, in Protocol Buffers or in JSON. A field has a number for the one and a name for the other.
 * Not thread-safe.
 */
public abstract class OtlpWriter {
    final WireBuffer out;

    OtlpWriter(WireBuffer out) {
        this.out = out;
    }

    /**
     * Writes a part that is the same in every request and at the same place of its message, or its encoded bytes.
     *
     * @param encoded what an earlier call returned, or null
     * @return the encoded bytes, to keep
     */
    public final byte[] constant(byte @Nullable [] encoded, Runnable part) {
        if (encoded != null) {
            out.put(encoded);
            return encoded;
        }
        int from = out.length();
        part.run();
        return Arrays.copyOfRange(out.array(), from, out.length());
    }

    /** Starts a message in a field. Returns the value to pass to {@link #end}. */
    public abstract int begin(int field, String name);

    /** Starts a message in a list. Returns the value to pass to {@link #end}. */
    public abstract int element(int field);

    public abstract void end(int start);

    /** Starts a list of messages. */
    public abstract void list(String name);

    public abstract void endList();

    public abstract void text(int field, String name, CharSequence text);

    public abstract void bytes(int field, String name, byte[] bytes);

    public abstract void flag(int field, String name, boolean value);

    /** Writes an integer of at most 32 bits, or an enumeration. */
    public abstract void number(int field, String name, int value);

    /** Writes a zigzag-encoded integer of 32 bits. */
    public abstract void signed(int field, String name, int value);

    public abstract void fixed32(int field, String name, int value);

    /** Writes an integer of 64 bits. */
    public abstract void big(int field, String name, long value);

    public abstract void fixed64(int field, String name, long value);

    public abstract void real(int field, String name, double value);

    public abstract void traceId(int field, String name, long high, long low);

    public abstract void spanId(int field, String name, long id);

    /** Writes a packed list of the first {@code count} integers. */
    public abstract void bigs(int field, String name, long[] values, int count);

    public abstract void fixed64s(int field, String name, long[] values, int count);

    public abstract void reals(int field, String name, double[] values);

    /** Writes a text, unless it is empty, which is the default. */
    public final void optionalText(int field, String name, CharSequence text) {
        if (text.length() > 0) {
            text(field, name, text);
        }
    }

    /** Writes a number, unless it is zero, which is the default. */
    public final void optionalNumber(int field, String name, int value) {
        if (value != 0) {
            number(field, name, value);
        }
    }

    /** Writes attributes, unless there are none. */
    public final void attributes(int field, KeyValues pairs) {
        if (pairs.size() > 0) {
            keyValues(field, "attributes", pairs);
        }
    }

    /** Writes an AnyValue. Its content is a oneof, so zero and the empty string are written too. */
    public final void value(int field, String name, Object value) {
        int start = begin(field, name);
        content(value);
        end(start);
    }

    /** Writes one pair of a list. */
    public final void keyValue(int field, String key, Object value) {
        int start = element(field);
        text(1, "key", key);
        value(2, "value", value);
        end(start);
    }

    private void keyValues(int field, String name, KeyValues pairs) {
        list(name);
        for (int i = 0; i < pairs.size(); i++) {
            keyValue(field, pairs.key(i), pairs.value(i));
        }
        endList();
    }

    private void content(Object value) {
        if (value instanceof String text) {
            text(1, "stringValue", text);
        } else if (value instanceof Long number) {
            big(3, "intValue", number);
        } else if (value instanceof Boolean flag) {
            flag(2, "boolValue", flag);
        } else if (value instanceof Double number) {
            real(4, "doubleValue", number);
        } else if (value instanceof byte[] bytes) {
            bytes(7, "bytesValue", bytes);
        } else if (value instanceof List<?> elements) {
            int array = begin(5, "arrayValue");
            list("values");
            for (Object element : elements) {
                int start = element(1);
                content(element);
                end(start);
            }
            endList();
            end(array);
        } else {
            int map = begin(6, "kvlistValue");
            keyValues(1, "values", (KeyValues) value);
            end(map);
        }
    }
}
