// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

/** The texts of events, which strangers choose. */
final class EventTexts {
    private EventTexts() {}

    /** The memory of texts. */
    static int bytes(String... texts) {
        int chars = 0;
        for (String text : texts) {
            chars += text.length();
        }
        return 2 * chars;
    }

    static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + '…';
    }
}
