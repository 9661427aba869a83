// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.base.Bytes;
import java.util.Collection;
import java.util.stream.Collectors;

/** What was received, made fit to be shown: strangers' texts short and printable, and of what is secret only the start. */
final class Shown {
    private static final int LONGEST = 200;
    private static final int START = 10;

    private Shown() {}

    /** A text without what makes terminals and pages do things. */
    static String text(String text) {
        String cut = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + '…';
        return cut.codePoints()
                .map(point -> isPlain(point) ? point : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    static String oneOf(Collection<String> texts) {
        return texts.isEmpty()
                ? "none"
                : texts.stream().sorted().map(Shown::text).collect(Collectors.joining(" or "));
    }

    /** Enough of an id or a challenge to tell two apart, and too little to be one. */
    static String start(String text) {
        return text(text.length() <= START ? text : text.substring(0, START) + '…');
    }

    static String start(Bytes id) {
        return start(id.base64Url());
    }
}
