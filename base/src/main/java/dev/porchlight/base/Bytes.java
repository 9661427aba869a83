// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * An immutable sequence of bytes, compared by content.
 *
 * <p>Arrays are copied on the way in and on the way out, and a slice owns its bytes, so that a short value never keeps
 * a whole message alive. Thread-safe.
 */
public final class Bytes {
    /** No bytes at all. */
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private static final int SHOWN = 4;

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** The bytes of an array as it is now. */
    public static Bytes copyOf(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array.clone());
    }

    /** The UTF-8 form of a text. */
    public static Bytes ofUtf8(String text) {
        return owning(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes that a text of hexadecimal digits stands for. */
    public static Bytes ofHex(String hex) {
        return owning(HexFormat.of().parseHex(hex));
    }

    /** Takes an array over without copying; the caller must let go of it. */
    static Bytes owning(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array);
    }

    /** The array itself, for readers of this package that only look. */
    byte[] shared() {
        return content;
    }

    /** How many bytes there are. */
    public int size() {
        return content.length;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return content.length == 0;
    }

    /** The byte at an index, as a number from 0 to 255. */
    public int at(int index) {
        return Byte.toUnsignedInt(content[index]);
    }

    /** The bytes from one index up to, and without, another. */
    public Bytes slice(int from, int to) {
        Objects.checkFromToIndex(from, to, content.length);
        return owning(Arrays.copyOfRange(content, from, to));
    }

    /** These bytes followed by others. */
    public Bytes concat(Bytes next) {
        byte[] joined = Arrays.copyOf(content, Math.addExact(content.length, next.content.length));
        System.arraycopy(next.content, 0, joined, content.length, next.content.length);
        return owning(joined);
    }

    /** A fresh array of these bytes. */
    public byte[] toByteArray() {
        return content.clone();
    }

    /** The SHA-256 digest of these bytes. */
    public Bytes sha256() {
        try {
            return owning(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Whether both hold the same bytes, in a time that does not tell where they differ. */
    public boolean equalsInConstantTime(Bytes other) {
        return MessageDigest.isEqual(content, other.content);
    }

    /** Lower-case hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(content);
    }

    /** Base64url without padding. */
    public String base64Url() {
        return Base64Url.encode(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** The length and a few leading bytes: enough to tell values apart, too little to leak one. */
    @Override
    public String toString() {
        String start = HexFormat.of().formatHex(content, 0, Math.min(SHOWN, content.length));
        return content.length + " bytes" + (isEmpty() ? "" : " (" + start + (content.length > SHOWN ? "…)" : ")"));
    }
}
