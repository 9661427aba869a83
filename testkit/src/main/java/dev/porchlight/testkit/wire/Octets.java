// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Utilities for byte arrays. */
public final class Octets {
    private Octets() {}

    public static byte[] of(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        return bytes;
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    public static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Returns the lowest {@code width} octets of {@code value}, big-endian. */
    public static byte[] bigEndian(long value, int width) {
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[width - 1 - i] = (byte) (value >>> 8 * i);
        }
        return bytes;
    }

    /** Returns a non-negative number in exactly {@code width} octets. */
    public static byte[] fixed(BigInteger value, int width) {
        byte[] magnitude = value.toByteArray();
        int from = magnitude.length > 1 && magnitude[0] == 0 ? 1 : 0;
        int count = magnitude.length - from;
        if (value.signum() < 0 || count > width) {
            throw new IllegalArgumentException(value + " does not fit into " + width + " octets");
        }
        byte[] bytes = new byte[width];
        System.arraycopy(magnitude, from, bytes, width - count, count);
        return bytes;
    }

    /** Returns a copy with one bit flipped; a negative index counts from the end. */
    public static byte[] flip(byte[] bytes, int index, int bit) {
        byte[] copy = bytes.clone();
        copy[index < 0 ? copy.length + index : index] ^= (byte) (1 << bit);
        return copy;
    }

    public static byte[] head(byte[] bytes, int count) {
        return Arrays.copyOf(bytes, count);
    }

    public static byte[] tail(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    public static byte[] filled(int count, int octet) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) octet);
        return bytes;
    }

    public static byte[] sha256(byte[]... parts) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(join(parts));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String base64Url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static byte[] fromBase64Url(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
