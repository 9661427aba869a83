// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.Locale;
import java.util.regex.Matcher;
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
    private static final char MINUS = '\u2212';
    private static final String HEAD = "([0-9A-HJKMNP-TV-Z]{2})";
    private static final String TAIL = "([0-9A-HJKMNP-TV-Z]{3})";
    private static final Pattern CODE =
            Pattern.compile("(?:(?:.* )?" + HEAD + " *- *" + TAIL + "|" + HEAD + " *" + TAIL + ")\\.?");

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
     * Normalizes a typed code: any case, O for 0, I or L for 1, any dash or none, and spaces around it. It may be copied with
     * words before it and a full stop behind it. Returns null if it is not a code.
     */
    public static @Nullable String read(String typed) {
        StringBuilder text = new StringBuilder(typed.length());
        for (char c : typed.strip().toUpperCase(Locale.ROOT).toCharArray()) {
            switch (Character.getType(c)) {
                case Character.FORMAT -> {} // a soft hyphen, or a mark of the direction
                case Character.DASH_PUNCTUATION -> text.append('-');
                case Character.SPACE_SEPARATOR -> text.append(' ');
                default -> text.append(c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c == MINUS ? '-' : c);
            }
        }
        Matcher code = CODE.matcher(text);
        if (!code.matches()) {
            return null;
        }
        return code.group(1) == null ? code.group(3) + '-' + code.group(4) : code.group(1) + '-' + code.group(2);
    }
}
