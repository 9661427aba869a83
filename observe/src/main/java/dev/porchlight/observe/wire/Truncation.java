// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.wire;

/** Cuts text that is too long, between code points, and marks the cut. */
public final class Truncation {
    /** The most bytes one character can become in a line: a {@code \}{@code u} escape. */
    private static final int WIDEST = 6;

    private Truncation() {}

    /** The mark {@code …[+N]}, for {@code count} missing characters. */
    public static String mark(long count) {
        return "…[+" + count + "]";
    }

    /** The last place at or before {@code end} that does not split a surrogate pair. */
    public static int before(String text, int end) {
        boolean parts = end > 0
                && end < text.length()
                && Character.isHighSurrogate(text.charAt(end - 1))
                && Character.isLowSurrogate(text.charAt(end));
        return parts ? end - 1 : end;
    }

    /** Writes a JSON string of at most {@code room} bytes, and the mark in its end if something is missing. */
    public static void jsonString(WireBuffer out, String text, int room) {
        if ((long) text.length() * WIDEST <= room) {
            out.jsonString(text);
        } else {
            out.put('"');
            write(out, text, room, true);
            out.put('"');
        }
    }

    /** Writes {@code text} for people in at most {@code room} bytes, and the mark behind it if something is missing. */
    public static void printable(WireBuffer out, String text, int room) {
        write(out, text, room, false);
    }

    /** Writes ever smaller pieces, each of which fits whatever its characters become. */
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
