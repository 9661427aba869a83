// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Base64url without padding, in which every byte sequence has exactly one spelling.
 *
 * <p>The JDK's decoder accepts padding and non-zero trailing bits, so that "AA", "AB" and "AA==" all mean the same byte.
 * A credential id with several spellings is several rows; here only the first of them is read.
 */
public final class Base64Url {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private Base64Url() {}

    /** The one spelling of some bytes. */
    public static String encode(Bytes bytes) {
        return new String(ENCODER.encode(bytes.shared()), StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads the one spelling of at most {@code maxBytes} bytes.
     *
     * @param part what the text is, for the complaint
     */
    public static Bytes decode(String text, int maxBytes, String part) throws MalformedException {
        if (text.length() > (maxBytes * 4L + 2) / 3) {
            throw new MalformedException(part, "longer than " + maxBytes + " bytes");
        }
        byte[] decoded;
        try {
            decoded = DECODER.decode(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedException(part, "not base64url");
        }
        if (!isCanonical(text, decoded)) {
            throw new MalformedException(part, "not canonical base64url: padding or stray trailing bits");
        }
        return Bytes.owning(decoded);
    }

    /** Spellings differ in padding, which shows in the length, and in the bits that the last, short group leaves over. */
    private static boolean isCanonical(String text, byte[] decoded) {
        int rest = decoded.length % 3;
        int length = decoded.length / 3 * 4 + (rest == 0 ? 0 : rest + 1);
        if (text.length() != length || rest == 0) {
            return text.length() == length;
        }
        byte[] group = Arrays.copyOfRange(decoded, decoded.length - rest, decoded.length);
        return text.endsWith(ENCODER.encodeToString(group));
    }
}
