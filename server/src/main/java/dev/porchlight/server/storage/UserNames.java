// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;

/** The form in which user names are compared. */
public final class UserNames {
    private UserNames() {}

    /**
     * Applies NFKC and case folding, and removes invisible characters. Converts to lower case first, for capitals such as ẞ, then
     * to upper case, which expands letters such as ß, then each letter to lower case, independent of its position in the
     * word.
     */
    public static String fold(String userId) {
        if (isAscii(userId)) {
            return userId.toLowerCase(Locale.ROOT); // the same result
        }
        StringBuilder folded = new StringBuilder(userId.length());
        Normalizer.normalize(userId, Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .toUpperCase(Locale.ROOT)
                .codePoints()
                .filter(character -> !isInvisible(character))
                .map(Character::toLowerCase)
                .forEach(folded::appendCodePoint);
        return Normalizer.normalize(folded, Form.NFKC);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Joiners, fillers, variation selectors and the empty Braille pattern: letters and symbols in Unicode, but invisible. */
    private static boolean isInvisible(int character) {
        return character == 0x34F
                || character >= 0x17B4 && character <= 0x17B5
                || character >= 0x180B && character <= 0x180F
                || character >= 0xFE00 && character <= 0xFE0F
                || character >= 0xE0100 && character <= 0xE01EF
                || isFiller(character);
    }

    /** Characters that look blank although Unicode does not classify them as such. */
    public static boolean isFiller(int character) {
        return switch (character) {
            case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0 -> true;
            default -> false;
        };
    }
}
