// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.decoy;

import org.jspecify.annotations.Nullable;

/**
 * The table that decoys are drawn from, and the one that follows it at a time that was announced before, so that all
 * instances change at once: an unknown user who has two lists at two instances has no account. Immutable.
 *
 * @param from when the next table replaces the present one, in milliseconds since 1970
 */
public record DecoyChange(DecoyTable present, DecoyTable next, long from) {
    DecoyTable at(long now) {
        return now < from ? present : next;
    }

    public String text() {
        return from + "\n" + present.text() + "\n" + next.text();
    }

    /** Parses {@link #text}; null if that fails. */
    static @Nullable DecoyChange parse(@Nullable String text) {
        String[] lines = text == null ? new String[0] : text.split("\n", -1);
        if (lines.length != 5) {
            return null;
        }
        try {
            return new DecoyChange(
                    DecoyTable.parse(lines[1], lines[2]),
                    DecoyTable.parse(lines[3], lines[4]),
                    Long.parseLong(lines[0]));
        } catch (RuntimeException e) {
            return null; // written by another release, or by hand
        }
    }
}
