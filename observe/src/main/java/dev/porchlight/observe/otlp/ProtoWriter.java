// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.wire.WireBuffer;

/**
 * Writes the wire format of Protocol Buffers: tags, varints, fixed numbers and length-delimited fields. Not
 * thread-safe.
 *
 * <p>A nested message is written in one pass: one byte is reserved for its length, and only a message of 128 bytes or
 * more is moved to make room for a longer length.
 */
public final class ProtoWriter extends OtlpWriter {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    public ProtoWriter(WireBuffer out) {
        super(out);
    }

    /** Starts a message that is preceded by its length, as in a stream of messages. */
    public int delimited() {
        out.put(0);
        return out.length();
    }

    @Override
    public int element(int field) {
        tag(field, LENGTH);
        return delimited();
    }

    @Override
    public int begin(int field, String name) {
        return element(field);
    }

    @Override
    public void end(int start) {
        int length = out.length() - start;
        int further = varintSize(length) - 1;
        if (further > 0) {
            out.makeRoom(start, further);
        }
        byte[] bytes = out.array();
        int at = start - 1;
        int rest = length;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes[at++] = (byte) (rest | 0x80);
        }
        bytes[at] = (byte) rest;
    }

    @Override
    public void list(String name) {
        // a list is not a message: each element repeats the field
    }

    @Override
    public void endList() {
        // as in list
    }

    @Override
    public void text(int field, String name, CharSequence text) {
        int start = element(field);
        out.utf8(text);
        end(start);
    }

    @Override
    public void bytes(int field, String name, byte[] bytes) {
        tag(field, LENGTH);
        varint(bytes.length);
        out.put(bytes);
    }

    @Override
    public void flag(int field, String name, boolean value) {
        big(field, name, value ? 1 : 0);
    }

    @Override
    public void number(int field, String name, int value) {
        big(field, name, value);
    }

    @Override
    public void signed(int field, String name, int value) {
        big(field, name, zigzag(value));
    }

    @Override
    public void fixed32(int field, String name, int value) {
        tag(field, FIXED32);
        for (int shift = 0; shift < 32; shift += 8) {
            out.put(value >>> shift);
        }
    }

    @Override
    public void big(int field, String name, long value) {
        tag(field, VARINT);
        varint(value);
    }

    @Override
    public void fixed64(int field, String name, long value) {
        tag(field, FIXED64);
        out.bigEndian(Long.reverseBytes(value));
    }

    @Override
    public void real(int field, String name, double value) {
        fixed64(field, name, Double.doubleToRawLongBits(value));
    }

    @Override
    public void traceId(int field, String name, long high, long low) {
        tag(field, LENGTH);
        varint(16);
        out.bigEndian(high);
        out.bigEndian(low);
    }

    @Override
    public void spanId(int field, String name, long id) {
        tag(field, LENGTH);
        varint(8);
        out.bigEndian(id);
    }

    @Override
    public void bigs(int field, String name, long[] values, int count) {
        int start = element(field);
        for (int i = 0; i < count; i++) {
            varint(values[i]);
        }
        end(start);
    }

    @Override
    public void fixed64s(int field, String name, long[] values, int count) {
        int start = element(field);
        for (int i = 0; i < count; i++) {
            out.bigEndian(Long.reverseBytes(values[i]));
        }
        end(start);
    }

    @Override
    public void reals(int field, String name, double[] values) {
        int start = element(field);
        for (double value : values) {
            out.bigEndian(Long.reverseBytes(Double.doubleToRawLongBits(value)));
        }
        end(start);
    }

    public static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    private void tag(int field, int type) {
        varint(field << 3 | type);
    }

    private void varint(long value) {
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            out.put((int) rest | 0x80);
        }
        out.put((int) rest);
    }

    private static int varintSize(int value) {
        return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
    }
}
