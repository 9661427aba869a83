// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * An immutable sequence of bytes, compared by content.
 *
 * <p>Arrays are copied in both directions. A slice owns its bytes, so a short value never keeps a whole message alive.
 * Thread-safe.
 */
public final class Bytes {
    public static final Bytes EMPTY = new Bytes(new byte[0]);

    private static final int SHOWN = 4;

    /** Cached per thread, because the provider lookup takes as long as a short digest. */
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(Bytes::newSha256);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** Returns a copy of the array's bytes. */
    public static Bytes copyOf(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array.clone());
    }

    /** Returns the UTF-8 encoding of a text. */
    public static Bytes ofUtf8(String text) {
        return owning(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Parses hexadecimal digits. */
    public static Bytes ofHex(String hex) {
        return owning(HexFormat.of().parseHex(hex));
    }

    /** Wraps an array without copying it; the caller must not use it afterwards. */
    static Bytes owning(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array);
    }

    /** Returns the array itself, for read-only use in this package. */
    byte[] shared() {
        return content;
    }

    public int size() {
        return content.length;
    }

    public boolean isEmpty() {
        return content.length == 0;
    }

    /** Returns the byte at an index, from 0 to 255. */
    public int at(int index) {
        return Byte.toUnsignedInt(content[index]);
    }

    /** Returns the bytes from {@code from} (inclusive) to {@code to} (exclusive). */
    public Bytes slice(int from, int to) {
        Objects.checkFromToIndex(from, to, content.length);
        return owning(Arrays.copyOfRange(content, from, to));
    }

    /** Returns these bytes followed by others. */
    public Bytes concat(Bytes next) {
        byte[] joined = Arrays.copyOf(content, Math.addExact(content.length, next.content.length));
        System.arraycopy(next.content, 0, joined, content.length, next.content.length);
        return owning(joined);
    }

    /** Returns random bytes. The generator must be cryptographically secure. */
    public static Bytes random(RandomGenerator random, int count) {
        byte[] drawn = new byte[count];
        random.nextBytes(drawn);
        return owning(drawn);
    }

    /** Returns a new array of these bytes. */
    public byte[] toByteArray() {
        return content.clone();
    }

    /** Returns the SHA-256 digest of these bytes. */
    public Bytes sha256() {
        return owning(SHA_256.get().digest(content));
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Compares in constant time, so that the duration does not reveal where the bytes differ. */
    public boolean equalsInConstantTime(Bytes other) {
        return MessageDigest.isEqual(content, other.content);
    }

    /** Returns lowercase hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(content);
    }

    /** Returns base64url without padding. */
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

    /** Returns the length and the first few bytes: enough to distinguish values, too little to leak one. */
    @Override
    public String toString() {
        String start = HexFormat.of().formatHex(content, 0, Math.min(SHOWN, content.length));
        return content.length + " bytes" + (isEmpty() ? "" : " (" + start + (content.length > SHOWN ? "…)" : ")"));
    }
}
