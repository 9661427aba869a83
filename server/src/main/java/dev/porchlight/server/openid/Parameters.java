// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of a query or form, parsed strictly and bounded. Immutable. */
final class Parameters {
    private static final int MAX_COUNT = 50;
    private static final int MAX_LENGTH = 16_384;

    private final Map<String, String> values;
    private final Set<String> repeated;

    private Parameters(Map<String, String> values, Set<String> repeated) {
        this.values = values;
        this.repeated = repeated;
    }

    /**
     * Parses {@code application/x-www-form-urlencoded} text.
     *
     * @throws RefusedException if it is too long or not well-formed
     */
    static Parameters parse(@Nullable String text) throws RefusedException {
        Map<String, String> values = new LinkedHashMap<>();
        Set<String> repeated = new LinkedHashSet<>();
        if (text == null || text.isEmpty()) {
            return new Parameters(values, repeated);
        }
        String[] pairs = text.length() > MAX_LENGTH ? new String[0] : text.split("&", MAX_COUNT + 1);
        if (pairs.length == 0 || pairs.length > MAX_COUNT) {
            throw malformed("at most " + MAX_COUNT + " parameters and " + MAX_LENGTH + " characters");
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (values.putIfAbsent(name, value) != null) {
                repeated.add(name);
            }
        }
        return new Parameters(values, repeated);
    }

    /** The parameter's value, or null if it is absent or empty, which OAuth treats alike. */
    @Nullable
    String get(String name) {
        String value = values.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /**
     * The parameter's value.
     *
     * @throws RefusedException if it is absent or empty
     */
    String required(String name) throws RefusedException {
        String value = get(name);
        if (value == null) {
            throw new RefusedException(Refusal.Reason.MALFORMED_REQUEST.of(name, "a value", "nothing"));
        }
        return value;
    }

    /** These parameters with another one, which replaces one of the same name. */
    Parameters with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new Parameters(more, repeated);
    }

    boolean isRepeated(String name) {
        return repeated.contains(name);
    }

    Set<String> repeated() {
        return repeated;
    }

    /** In the form that the Nimbus SDK parses. */
    Map<String, List<String>> toMap() {
        Map<String, List<String>> map = new LinkedHashMap<>();
        values.forEach((name, value) -> map.put(name, List.of(value)));
        return map;
    }

    private static String decode(String text) throws RefusedException {
        byte[] bytes = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                boolean complete = i + 2 < text.length();
                int high = complete ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = complete ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw malformed("valid percent-encoding");
                }
                bytes[length++] = (byte) (high << 4 | low);
                i += 2;
            } else if (c > ' ' && c < 127) {
                bytes[length++] = (byte) (c == '+' ? ' ' : c);
            } else {
                throw malformed("ASCII characters");
            }
        }
        try {
            String decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
            if (decoded.chars().anyMatch(Character::isISOControl)) {
                throw malformed("no control characters");
            }
            return decoded;
        } catch (CharacterCodingException e) {
            throw malformed("UTF-8");
        }
    }

    private static RefusedException malformed(String expected) {
        return new RefusedException(Refusal.Reason.MALFORMED_REQUEST.of("", expected, ""));
    }
}
