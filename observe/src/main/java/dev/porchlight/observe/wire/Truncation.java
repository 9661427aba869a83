// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

/** Truncates text between code points and marks the truncation. */
public final class Truncation {
    /** The largest encoding of one character, in bytes: a {@code \}{@code u} escape. */
    private static final int WIDEST = 6;

    private Truncation() {}

    /** Returns the mark {@code …[+N]} for {@code count} omitted characters. */
    public static String mark(long count) {
        return "…[+" + count + "]";
    }

    /** Returns the last index at or before {@code end} that does not split a surrogate pair. */
    public static int before(String text, int end) {
        boolean parts = end > 0
                && end < text.length()
                && Character.isHighSurrogate(text.charAt(end - 1))
                && Character.isLowSurrogate(text.charAt(end));
        return parts ? end - 1 : end;
    }

    /** Writes a JSON string of at most {@code room} bytes. A truncated string ends with the mark. */
    public static void jsonString(WireBuffer out, String text, int room) {
        if ((long) text.length() * WIDEST <= room) {
            out.jsonString(text);
        } else {
            out.put('"');
            write(out, text, room, true);
            out.put('"');
        }
    }

    /** Writes printable text of at most {@code room} bytes, followed by the mark if it was truncated. */
    public static void printable(WireBuffer out, String text, int room) {
        write(out, text, room, false);
    }

    /** Writes ever smaller pieces, each of which fits even if every character is escaped. */
    private static void write(WireBuffer out, String text, int room, boolean json) {
        int limit = out.length() + Math.max(0, room);
        int end = text.length();
        for (int at = 0; at < end; ) {
            int fits = (limit - out.length()) / WIDEST;
            int next = before(text, Math.min(end, at + fits));
            if (next == at) {
                out.utf8(mark(end - at));
                return;
            }
            if (json) {
                out.jsonChars(text, at, next);
            } else {
                out.printable(text, at, next);
            }
            at = next;
        }
    }
}
