// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The short code that a user reads out to a help desk, such as {@code K7-4QX}: the first 25 bits of a ceremony's trace id in
 * Crockford's base 32. The browser computes it from the same id.
 */
public final class SupportCode {
    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int CHARACTERS = 5;
    private static final int BITS_EACH = 5;
    private static final int DASH_AT = 2;
    private static final Pattern CODE = Pattern.compile("[0-9A-HJKMNP-TV-Z]{2}-?[0-9A-HJKMNP-TV-Z]{3}");

    private SupportCode() {}

    /** The code of a trace id, which has 32 hex digits. */
    public static String of(String traceId) {
        long traceIdHigh = Long.parseUnsignedLong(traceId, 0, 16, 16);
        StringBuilder code = new StringBuilder(CHARACTERS + 1);
        for (int i = 0; i < CHARACTERS; i++) {
            if (i == DASH_AT) {
                code.append('-');
            }
            int shift = Long.SIZE - (i + 1) * BITS_EACH;
            code.append(ALPHABET.charAt((int) (traceIdHigh >>> shift) & 31));
        }
        return code.toString();
    }

    /**
     * Normalizes a typed code: any case, O for 0, I or L for 1, optional dash. It may be copied with words before it and a full
     * stop behind it. Returns null if it is not a code.
     */
    public static @Nullable String read(String typed) {
        String stripped = typed.strip();
        String line = stripped.endsWith(".") ? stripped.substring(0, stripped.length() - 1) : stripped;
        String last = line.substring(line.lastIndexOf(' ') + 1);
        return normalized(last.length() == CHARACTERS + 1 ? last : line);
    }

    private static @Nullable String normalized(String typed) {
        String text = typed.toUpperCase(Locale.ROOT)
                .replace('O', '0')
                .replace('I', '1')
                .replace('L', '1')
                .replace(' ', '-');
        if (!CODE.matcher(text).matches()) {
            return null;
        }
        String plain = text.replace("-", "");
        return plain.substring(0, DASH_AT) + '-' + plain.substring(DASH_AT);
    }
}
