// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import java.util.regex.Pattern;

/** The texts of events, which strangers choose. */
final class EventTexts {
    /** What PostgreSQL refuses in a query. No user and no client has such a name. */
    private static final Pattern REFUSED = Pattern.compile("[\\x00\\p{Cs}]");

    private EventTexts() {}

    /** The memory of texts. */
    static int bytes(String... texts) {
        int chars = 0;
        for (String text : texts) {
            chars += text.length();
        }
        return 2 * chars;
    }

    /** A text of at most this length, which queries can have as a value. */
    static String cut(String text, int max) {
        String shown = text.length() <= max ? text : text.substring(0, max) + '…';
        return isPlain(shown) ? shown : REFUSED.matcher(shown).replaceAll("\ufffd");
    }

    /** Whether a text has no candidate for {@link #REFUSED}, as that of nearly every login. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == 0 || Character.isSurrogate(each)) {
                return false;
            }
        }
        return true;
    }
}
