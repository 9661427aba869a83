// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A JSON parser that accepts only what RFC 8259 allows: no duplicate names, no lone surrogates, no text after the
 * value, no nesting deeper than 32.
 */
final class StrictJson {
    private static final int MAX_DEPTH = 32;
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;
    private int depth;

    private StrictJson(String text) {
        this.text = text;
    }

    static Object read(String text) {
        StrictJson json = new StrictJson(text);
        Object value = json.value();
        json.space();
        if (json.at != text.length()) {
            throw json.malformed("text after the value");
        }
        return value;
    }

    @SuppressWarnings("unchecked") // names of a JSON object are strings
    static Map<String, Object> object(String text) {
        return (Map<String, Object>) read(text);
    }

    private Object value() {
        space();
        return switch (peek()) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        open('{');
        for (boolean first = true; !closes('}'); first = false) {
            if (!first) {
                expect(',');
                space();
            }
            String name = string();
            space();
            expect(':');
            if (members.containsKey(name)) {
                throw malformed("duplicate name " + name);
            }
            members.put(name, value());
        }
        return members;
    }

    private List<Object> elements() {
        List<Object> elements = new ArrayList<>();
        open('[');
        for (boolean first = true; !closes(']'); first = false) {
            if (!first) {
                expect(',');
            }
            elements.add(value());
        }
        return elements;
    }

    private void open(char bracket) {
        expect(bracket);
        if (++depth > MAX_DEPTH) {
            throw malformed("too deep");
        }
    }

    private boolean closes(char bracket) {
        space();
        if (peek() != bracket) {
            return false;
        }
        at++;
        depth--;
        return true;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        boolean surrogates = false;
        int appended = at;
        for (char c = next(); c != '"'; c = next()) {
            if (c < 0x20) {
                throw malformed("raw control character");
            }
            if (c == '\\') {
                string.append(text, appended, at - 1);
                c = escape();
                string.append(c);
                appended = at;
            }
            surrogates |= Character.isSurrogate(c);
        }
        String read = string.append(text, appended, at - 1).toString();
        if (surrogates && read.codePoints().anyMatch(point -> point >= 0xd800 && point <= 0xdfff)) {
            throw malformed("lone surrogate");
        }
        return read;
    }

    private char escape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                String digits = text.substring(at, Math.min(text.length(), at + 4));
                if (!digits.matches("[0-9a-fA-F]{4}")) {
                    throw malformed("bad escape");
                }
                at += 4;
                yield (char) Integer.parseInt(digits, 16);
            }
            default -> throw malformed("bad escape");
        };
    }

    private BigDecimal number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(start, at);
        if (!NUMBER.matcher(digits).matches()) {
            throw malformed("bad number \"" + digits + "\"");
        }
        return new BigDecimal(digits);
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw malformed("no value");
        }
        at += word.length();
        return meaning;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw malformed("the end");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            at--;
            throw malformed("no " + wanted);
        }
    }

    private IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException(what + " at " + at);
    }
}
