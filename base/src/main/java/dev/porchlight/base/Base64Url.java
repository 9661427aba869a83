// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * Canonical base64url without padding: every byte sequence has exactly one encoding.
 *
 * <p>The JDK's decoder accepts padding and non-zero trailing bits, so "AA", "AB" and "AA==" all decode to the same
 * byte. A credential id with several encodings could be stored in several rows; this class accepts only "AA".
 */
public final class Base64Url {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private Base64Url() {}

    /** Encodes bytes. */
    public static String encode(Bytes bytes) {
        return new String(ENCODER.encode(bytes.shared()), StandardCharsets.ISO_8859_1);
    }

    /**
     * Decodes at most {@code maxBytes} bytes. Accepts only the canonical encoding.
     *
     * @param part the name of the value in the error message
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

    /** Checks the length, which padding would change, and the unused bits of the last group. */
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
