// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into maps, lists, texts, doubles and booleans, as far as a collector's answer needs it. Anything malformed
 * or too deep ends in an {@link IllegalArgumentException}.
 */
final class JsonReader {
    private static final int MAX_DEPTH = 32;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static @Nullable Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        if (reader.peek() != 0) {
            throw new IllegalArgumentException("text after the end");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("too deep");
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            default -> scalar();
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        expect('{');
        if (peek() != '}') {
            do {
                peek();
                String key = string();
                expect(':');
                map.put(key, value(depth + 1));
            } while (more('}'));
        }
        expect('}');
        return map;
    }

    private List<@Nullable Object> array(int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        expect('[');
        if (peek() != ']') {
            do {
                list.add(value(depth + 1));
            } while (more(']'));
        }
        expect(']');
        return list;
    }

    private boolean more(char end) {
        if (peek() == ',') {
            at++;
            return true;
        }
        if (peek() != end) {
            throw new IllegalArgumentException("neither a comma nor an end");
        }
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        for (char c = take(); c != '"'; c = take()) {
            out.append(c == '\\' ? escape() : c);
        }
        return out.toString();
    }

    private char escape() {
        char c = take();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (hex() << 12 | hex() << 8 | hex() << 4 | hex());
            default -> throw new IllegalArgumentException("an unknown escape");
        };
    }

    private int hex() {
        int digit = Character.digit(take(), 16);
        if (digit < 0) {
            throw new IllegalArgumentException("not a hex digit");
        }
        return digit;
    }

    private @Nullable Object scalar() {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> Double.valueOf(word);
        };
    }

    private void expect(char expected) {
        if (peek() != expected) {
            throw new IllegalArgumentException("no " + expected);
        }
        at++;
    }

    /** The next character that is not white space, or 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char take() {
        if (at == text.length()) {
            throw new IllegalArgumentException("the end is missing");
        }
        return text.charAt(at++);
    }
}
