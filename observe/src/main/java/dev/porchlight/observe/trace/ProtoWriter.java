// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.wire.WireBuffer;

/**
 * Writes the wire format of Protocol Buffers: tags, varints, fixed numbers and length-delimited fields. Not
 * thread-safe.
 *
 * <p>A nested message is written in one pass: one byte is reserved for its length, and only a message of 128 bytes or
 * more is moved to make room for a longer length.
 */
record ProtoWriter(WireBuffer out) {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    /** Starts a nested message. Returns the offset to pass to {@link #end}. */
    int begin(int field) {
        tag(field, LENGTH);
        out.put(0);
        return out.length();
    }

    void end(int start) {
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

    void text(int field, CharSequence text) {
        int start = begin(field);
        out.utf8(text);
        end(start);
    }

    /** Writes a string, unless it is empty, which is the default. */
    void optionalText(int field, CharSequence text) {
        if (text.length() > 0) {
            text(field, text);
        }
    }

    void bytes(int field, byte[] bytes) {
        tag(field, LENGTH);
        varint(bytes.length);
        out.put(bytes);
    }

    void traceId(int field, SpanContext context) {
        tag(field, LENGTH);
        varint(16);
        bigEndian(context.traceIdHigh());
        bigEndian(context.traceIdLow());
    }

    void spanId(int field, SpanContext context) {
        tag(field, LENGTH);
        varint(8);
        bigEndian(context.spanId());
    }

    void number(int field, long value) {
        tag(field, VARINT);
        varint(value);
    }

    /** Writes a number, unless it is zero, which is the default. */
    void optionalNumber(int field, long value) {
        if (value != 0) {
            number(field, value);
        }
    }

    void fixed64(int field, long value) {
        tag(field, FIXED64);
        bigEndian(Long.reverseBytes(value));
    }

    void fixed32(int field, int value) {
        tag(field, FIXED32);
        for (int shift = 0; shift < 32; shift += 8) {
            out.put(value >>> shift);
        }
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

    private void bigEndian(long value) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            out.put((int) (value >>> shift));
        }
    }

    private static int varintSize(int value) {
        return Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
    }
}
