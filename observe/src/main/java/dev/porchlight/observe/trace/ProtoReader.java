// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.nio.charset.StandardCharsets;

/**
 * Reads the wire format of Protocol Buffers, as far as a collector's answer needs it. Malformed bytes end in an
 * {@link IllegalArgumentException} or an {@link IndexOutOfBoundsException}.
 */
final class ProtoReader {
    private final byte[] bytes;
    private final int end;
    private int at;
    private int tag;
    private long number;

    private ProtoReader(byte[] bytes, int from, int end) {
        if (end < from || end > bytes.length) {
            throw new IllegalArgumentException("a field ends outside its message");
        }
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    static ProtoReader of(byte[] bytes) {
        return new ProtoReader(bytes, 0, bytes.length);
    }

    /** Moves to the next field; false at the end. */
    boolean next() {
        if (tag != 0 && delimited()) {
            at += (int) number; // past the content of the field before
        }
        if (at >= end) {
            return false;
        }
        tag = (int) varint();
        switch (tag & 7) {
            case 0, 2 -> number = varint();
            case 1 -> at += 8;
            case 5 -> at += 4;
            default -> throw new IllegalArgumentException("an unknown wire type");
        }
        if (delimited() && (number < 0 || number > end - at)) {
            throw new IllegalArgumentException("a field longer than its message");
        }
        return true;
    }

    int field() {
        return tag >>> 3;
    }

    boolean delimited() {
        return (tag & 7) == 2;
    }

    /** The number of a field that is one. */
    long number() {
        return number;
    }

    String text() {
        return new String(bytes, at, (int) number, StandardCharsets.UTF_8);
    }

    ProtoReader message() {
        return new ProtoReader(bytes, at, at + (int) number);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte b = bytes[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of more than ten bytes");
    }
}
