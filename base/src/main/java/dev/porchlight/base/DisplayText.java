// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.Collection;
import java.util.stream.Collectors;

/** Makes received text safe to display: bounded, without invisible characters, and only a prefix of ids and challenges. */
public final class DisplayText {
    private static final int MAX_CHARS = 200;
    private static final int PREFIX_CHARS = 8;

    private DisplayText() {}

    /** Returns the text with each invisible character replaced by a question mark, truncated to 200 characters. */
    public static String of(String text) {
        return visible(text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + '…');
    }

    /** Returns the text with each invisible character replaced by a question mark. */
    public static String visible(String text) {
        return text.codePoints()
                .map(point -> isInvisible(point) ? '?' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Returns the texts in alphabetical order, or "none". */
    public static String oneOf(Collection<String> texts) {
        return texts.isEmpty()
                ? "none"
                : texts.stream().sorted().map(DisplayText::of).collect(Collectors.joining(" or "));
    }

    /** Returns the start of an id or challenge: enough to distinguish two, too little to use one. */
    public static String prefix(String text) {
        return of(text.length() <= PREFIX_CHARS ? text : text.substring(0, PREFIX_CHARS) + '…');
    }

    public static String prefix(Bytes id) {
        return prefix(id.base64Url());
    }

    /** Returns whether a code point is invisible or changes how other characters are displayed. */
    public static boolean isInvisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
