// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code k=v,k2=v2} as W3C baggage writes it, with percent-encoded values. */
final class KeyValueList {
    private KeyValueList() {}

    /** The pairs in order, or null when any part is malformed: half a list would be worse than none. */
    static @Nullable Map<String, String> parse(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String member : text.split(",", -1)) {
            if (member.isBlank()) {
                continue;
            }
            int equals = member.indexOf('=');
            String key = equals < 0 ? "" : member.substring(0, equals).strip();
            String value =
                    equals < 0 ? null : decode(member.substring(equals + 1).strip());
            if (key.isEmpty() || value == null) {
                return null;
            }
            pairs.put(key, value);
        }
        return pairs;
    }

    private static @Nullable String decode(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '%') {
                int next = text.offsetByCodePoints(i, 1);
                bytes.put(text.substring(i, next).getBytes(StandardCharsets.UTF_8));
                i = next - 1;
                continue;
            }
            int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                return null;
            }
            bytes.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
