// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import dev.porchlight.observe.wire.WireBuffer;
import java.util.List;

/** How label values are written. They are escaped once, when their series appears. */
final class Labels {
    private Labels() {}

    /** The pairs as they stand between the braces: {@code a="1",b="2"}. */
    static byte[] pairs(List<String> names, String[] values) {
        WireBuffer out = new WireBuffer(64);
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                out.put(',');
            }
            out.ascii(names.get(i)).ascii("=\"").utf8(escape(values[i])).put('"');
        }
        return out.toByteArray();
    }

    /** Escapes exactly backslash, quote and line feed; everything else stays raw UTF-8. */
    static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    /** The text as it will look in UTF-8: an unpaired surrogate becomes U+FFFD, and two such values become one series. */
    static String wellFormed(String text) {
        if (text.chars().noneMatch(unit -> Character.isSurrogate((char) unit))) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xfffd : point)
                .forEach(out::appendCodePoint);
        return out.toString();
    }
}
