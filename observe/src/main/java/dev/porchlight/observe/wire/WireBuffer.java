// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growable byte buffer that encodes text without intermediate objects.
 *
 * <p>Everything written is valid UTF-8: an unpaired surrogate becomes U+FFFD. Not thread-safe; reusable through {@link
 * #clear()}.
 */
public final class WireBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

    /** Indexed by the low byte of a character; with 256 elements the loop needs no bounds check. */
    private static final boolean[] NEEDS_ESCAPE = new boolean[256];

    static {
        for (char c = 0; c < NEEDS_ESCAPE.length; c++) {
            NEEDS_ESCAPE[c] = c == '"' || c == '\\' || isUnsafe(c);
        }
    }

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

    /** Drops everything after {@code newLength}, which must not exceed the current length. */
    public WireBuffer truncate(int newLength) {
        if (newLength < 0 || newLength > length) {
            throw new IndexOutOfBoundsException(newLength);
        }
        length = newLength;
        return this;
    }

    /** Inserts a gap of {@code count} bytes at {@code at}, which the caller must fill. */
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
    public WireBuffer ascii(String text) {
        return ascii(text, 0, text.length());
    }

    @SuppressWarnings("deprecation") // the only intrinsic copy of Latin-1 bytes out of a String
    private WireBuffer ascii(String text, int from, int end) {
        reserve(end - from);
        text.getBytes(from, end, bytes, length);
        length += end - from;
        return this;
    }

    public WireBuffer utf8(CharSequence text) {
        int end = text.length();
        int bits = 0;
        for (int i = 0; i < end; i++) { // branch-free for speed
            bits |= text.charAt(i);
        }
        if (bits < 0x80 && text instanceof String string) {
            return ascii(string, 0, end);
        }
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

    /** Writes a quoted JSON string. Escapes every character that could break a line or control a terminal. */
    public WireBuffer jsonString(String text) {
        return put('"').jsonChars(text, 0, text.length()).put('"');
    }

    /** Writes the characters of {@code text} from {@code from} to {@code end}, JSON-escaped, without quotes around them. */
    public WireBuffer jsonChars(String text, int from, int end) {
        if (isPlain(text, from, end)) {
            return ascii(text, from, end);
        }
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x80 && !NEEDS_ESCAPE[c]) {
                put(c);
            } else if (c < 0x80 || isUnsafe(c)) {
                putEscape(c);
            } else {
                i += putBeyondAscii(text, i, end);
            }
        }
        return this;
    }

    /** Writes human-readable text. Escapes only characters that could break a line or control a terminal. */
    public WireBuffer printable(String text, int from, int end) {
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (isUnsafe(c)) {
                putEscape(c);
            } else if (c < 0x80) {
                put(c);
            } else {
                i += putBeyondAscii(text, i, end);
            }
        }
        return this;
    }

    /** Returns whether JSON needs no escape. Most text is like that and is copied at once. */
    private static boolean isPlain(String text, int from, int end) {
        boolean escape = false;
        int bits = 0;
        for (int i = from; i < end; i++) { // branch-free for speed
            char c = text.charAt(i);
            bits |= c;
            escape |= NEEDS_ESCAPE[c & 0xff];
        }
        return bits < 0x80 && !escape;
    }

    /**
     * Returns whether a character is a control (C0, DEL or C1, which some terminals obey), a line separator or a
     * bidirectional mark.
     */
    private static boolean isUnsafe(char c) {
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

    /** Writes eight bytes, the highest first. */
    public WireBuffer bigEndian(long value) {
        reserve(8);
        LONGS.set(bytes, length, value);
        length += 8;
        return this;
    }

    /** Writes sixteen lowercase hex digits. */
    public WireBuffer hex(long value) {
        reserve(16);
        LONGS.set(bytes, length, hexDigits(value >>> 32));
        LONGS.set(bytes, length + 8, hexDigits(value & 0xffff_ffffL));
        length += 16;
        return this;
    }

    /** Computes eight hex digits in parallel: each nibble is moved to its own byte and converted to a character there. */
    private static long hexDigits(long nibbles) {
        long x = nibbles;
        x = (x | x << 16) & 0x0000_ffff_0000_ffffL;
        x = (x | x << 8) & 0x00ff_00ff_00ff_00ffL;
        x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0fL;
        long letters = x + 0x0606_0606_0606_0606L >>> 4 & 0x0101_0101_0101_0101L;
        return x + 0x3030_3030_3030_3030L + letters * ('a' - '0' - 10);
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

    /** Encodes the code point at {@code i} and returns the number of additional chars it consumed. */
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
