// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.util.Collection;
import java.util.stream.Collectors;

/** Makes received text safe to display: bounded, without invisible characters, and only a prefix of ids and challenges. */
public final class DisplayText {
    private static final int MAX_CHARS = 200;
    private static final int PREFIX_CHARS = 8;

    private DisplayText() {}

    /** The text with each invisible character replaced by a question mark, cut after 200 characters. */
    public static String of(String text) {
        String cut = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + '…';
        return cut.codePoints()
                .map(point -> isInvisible(point) ? '?' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The texts in alphabetical order, or "none". */
    public static String oneOf(Collection<String> texts) {
        return texts.isEmpty()
                ? "none"
                : texts.stream().sorted().map(DisplayText::of).collect(Collectors.joining(" or "));
    }

    /** Enough of an id or a challenge to distinguish two, and too little to use one. */
    public static String prefix(String text) {
        return of(text.length() <= PREFIX_CHARS ? text : text.substring(0, PREFIX_CHARS) + '…');
    }

    public static String prefix(Bytes id) {
        return prefix(id.base64Url());
    }

    /** Whether a code point shows nothing, or changes how terminals and pages show other characters. */
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
