// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growable byte buffer that text is encoded into without intermediate objects.
 *
 * <p>Everything written is valid UTF-8: an unpaired surrogate becomes U+FFFD. Not thread-safe; made to be reused through
 * {@link #clear()}.
 */
public final class WireBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int length;

    public WireBuffer(int initialCapacity) {
        bytes = new byte[Math.max(16, initialCapacity)];
    }

    public int length() {
        return length;
    }

    public int capacity() {
        return bytes.length;
    }

    /** The backing array, valid up to {@link #length()} until the next write. */
    public byte[] array() {
        return bytes;
    }

    public WireBuffer clear() {
        length = 0;
        return this;
    }

    /** Forgets everything after {@code newLength}, which must not exceed the present length. */
    public WireBuffer truncate(int newLength) {
        if (newLength < 0 || newLength > length) {
            throw new IndexOutOfBoundsException(newLength);
        }
        length = newLength;
        return this;
    }

    /** Moves everything from {@code at} on {@code count} bytes further; what is in the gap is for the caller to write. */
    public WireBuffer makeRoom(int at, int count) {
        reserve(count);
        System.arraycopy(bytes, at, bytes, at + count, length - at);
        length += count;
        return this;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    public WireBuffer put(int oneByte) {
        reserve(1);
        bytes[length++] = (byte) oneByte;
        return this;
    }

    public WireBuffer put(byte[] source) {
        return put(source, 0, source.length);
    }

    public WireBuffer put(byte[] source, int from, int count) {
        reserve(count);
        System.arraycopy(source, from, bytes, length, count);
        length += count;
        return this;
    }

    /** Writes text known to be ASCII; use {@link #utf8} for anything else. */
    @SuppressWarnings("deprecation") // the only intrinsic copy of Latin-1 bytes out of a String
    public WireBuffer ascii(String text) {
        int count = text.length();
        reserve(count);
        text.getBytes(0, count, bytes, length);
        length += count;
        return this;
    }

    public WireBuffer utf8(CharSequence text) {
        int end = text.length();
        reserve(end);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                reserve(end - i);
                bytes[length++] = (byte) c;
            } else {
                i += putBeyondAscii(text, i, end);
            }
        }
        return this;
    }

    /** Writes a quoted JSON string, in which everything is escaped that could break a line or steer a terminal. */
    public WireBuffer jsonString(CharSequence text) {
        return put('"').jsonChars(text, 0, text.length()).put('"');
    }

    /** Writes the characters of {@code text} from {@code from} to {@code end}, JSON-escaped, without quotes around them. */
    public WireBuffer jsonChars(CharSequence text, int from, int end) {
        for (int i = plainJson(text, from, end); i < end; i = plainJson(text, i + 1, end)) {
            char c = text.charAt(i);
            if (c < 0x80 || breaksOrSteers(c)) {
                putEscape(c);
            } else {
                i += putBeyondAscii(text, i, end);
            }
        }
        return this;
    }

    /** Writes text for people, in which only what could break a line or steer a terminal is escaped. */
    public WireBuffer printable(CharSequence text, int from, int end) {
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (breaksOrSteers(c)) {
                putEscape(c);
            } else if (c < 0x80) {
                put(c);
            } else {
                i += putBeyondAscii(text, i, end);
            }
        }
        return this;
    }

    /** Copies characters as long as JSON takes them as they are; returns where that ends. */
    private int plainJson(CharSequence text, int from, int end) {
        if (from >= end) {
            return end;
        }
        reserve(end - from);
        byte[] to = bytes;
        int at = length;
        int i = from;
        for (; i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\') {
                break;
            }
            to[at++] = (byte) c;
        }
        length = at;
        return i;
    }

    /** Controls (C0, DEL, C1, which some terminals obey), the line separators, and the marks that turn text around. */
    private static boolean breaksOrSteers(char c) {
        return c < 0x20 || c >= 0x7f && c <= 0x9f || c >= '\u2028' && c <= '\u202e' || c >= '\u2066' && c <= '\u2069';
    }

    public WireBuffer decimal(long value) {
        if (value == Long.MIN_VALUE) {
            return put(LONG_MIN);
        }
        long rest = value;
        if (value < 0) {
            put('-');
            rest = -value;
        }
        int digits = 1;
        for (long bound = 10; digits < 19 && rest >= bound; bound *= 10) {
            digits++;
        }
        reserve(digits);
        length += digits;
        for (int at = length - 1; digits > 0; digits--, at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return this;
    }

    /** Writes {@code value} in decimal, padded with zeros on the left to at least {@code width} digits. */
    public WireBuffer paddedDecimal(int value, int width) {
        for (int bound = (int) Math.pow(10, width - 1); bound > 1 && value < bound; bound /= 10) {
            put('0');
        }
        return decimal(value);
    }

    /** Writes sixteen lower-case hex digits. */
    public WireBuffer hex(long value) {
        reserve(16);
        for (int shift = 60; shift >= 0; shift -= 4) {
            bytes[length++] = HEX[(int) (value >>> shift) & 0xf];
        }
        return this;
    }

    private void putEscape(char c) {
        put('\\');
        switch (c) {
            case '"', '\\' -> put(c);
            case '\n' -> put('n');
            case '\r' -> put('r');
            case '\t' -> put('t');
            default ->
                put('u').put(HEX[c >> 12])
                        .put(HEX[c >> 8 & 0xf])
                        .put(HEX[c >> 4 & 0xf])
                        .put(HEX[c & 0xf]);
        }
    }

    /** Encodes the code point at {@code i}; returns how many further chars it took. */
    private int putBeyondAscii(CharSequence text, int i, int end) {
        reserve(end - i + 4);
        char c = text.charAt(i);
        if (c < 0x800) {
            bytes[length++] = (byte) (0xc0 | c >> 6);
            bytes[length++] = (byte) (0x80 | c & 0x3f);
            return 0;
        }
        if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
            int point = Character.toCodePoint(c, text.charAt(i + 1));
            bytes[length++] = (byte) (0xf0 | point >> 18);
            bytes[length++] = (byte) (0x80 | point >> 12 & 0x3f);
            bytes[length++] = (byte) (0x80 | point >> 6 & 0x3f);
            bytes[length++] = (byte) (0x80 | point & 0x3f);
            return 1;
        }
        int unit = Character.isSurrogate(c) ? 0xfffd : c;
        bytes[length++] = (byte) (0xe0 | unit >> 12);
        bytes[length++] = (byte) (0x80 | unit >> 6 & 0x3f);
        bytes[length++] = (byte) (0x80 | unit & 0x3f);
        return 0;
    }

    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, count)));
        }
    }
}
