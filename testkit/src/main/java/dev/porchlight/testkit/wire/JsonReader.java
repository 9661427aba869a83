// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A strict parser of one JSON document: no duplicate members, no comments, nothing after the end. */
final class JsonReader {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
    private static final int MAX_DEPTH = 64;

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    @Nullable
    Object document() {
        Object value = value();
        if (peek() != 0) {
            throw malformed("trailing text");
        }
        return value;
    }

    private @Nullable Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private JsonObject object() {
        enter('{');
        JsonObject object = new JsonObject();
        for (boolean more = peek() != '}'; more; more = comma('}')) {
            if (peek() != '"') {
                throw malformed("expected a member name");
            }
            String name = string();
            if (object.names().contains(name)) {
                throw malformed("duplicate member \"" + name + "\"");
            }
            expect(':');
            object.put(name, value());
        }
        leave('}');
        return object;
    }

    private List<@Nullable Object> array() {
        enter('[');
        List<@Nullable Object> list = new ArrayList<>();
        for (boolean more = peek() != ']'; more; more = comma(']')) {
            list.add(value());
        }
        leave(']');
        return list;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; ; at++) {
            char c = at < text.length() ? text.charAt(at) : 0;
            if (c == '"') {
                at++;
                return out.toString();
            } else if (c == '\\') {
                at++;
                out.append(escape());
            } else if (c < 0x20) {
                throw malformed("an unterminated string or a raw control character");
            } else {
                out.append(c);
            }
        }
    }

    private char escape() {
        char c = at < text.length() ? text.charAt(at) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int end = Math.min(at + 5, text.length());
                if (!text.substring(at + 1, end).matches("[0-9a-fA-F]{4}")) {
                    throw malformed("expected four hex digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 3, end, 16);
            }
            default -> throw malformed("an unknown escape");
        };
    }

    private Object number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw malformed("expected a value");
        }
        at = matcher.end();
        boolean whole = matcher.group(2) == null && matcher.group(3) == null;
        return whole ? (Object) Long.valueOf(matcher.group()) : (Object) Double.valueOf(matcher.group());
    }

    private @Nullable Object word(String word, @Nullable Object meaning) {
        if (!text.startsWith(word, at)) {
            throw malformed("expected a value");
        }
        at += word.length();
        return meaning;
    }

    /** Returns the next character that is not white space, 0 at the end. */
    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean comma(char end) {
        if (peek() == ',') {
            at++;
            return true;
        }
        if (peek() != end) {
            throw malformed("expected a comma or '" + end + "'");
        }
        return false;
    }

    private void enter(char opening) {
        expect(opening);
        if (++depth > MAX_DEPTH) {
            throw malformed("nested too deep");
        }
    }

    private void leave(char closing) {
        expect(closing);
        depth--;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw malformed("expected '" + c + "'");
        }
        at++;
    }

    private JsonException malformed(String reason) {
        return new JsonException(reason + " at character " + at);
    }
}
