// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict RFC 8259 parser: no duplicate names, no NaN, no raw control characters, no leading zeros, no text before or
 * after. Numbers become {@link BigDecimal}.
 */
public final class StrictJson {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;

    private StrictJson(String text) {
        this.text = text;
    }

    public static Object parse(String text) {
        StrictJson json = new StrictJson(text);
        json.space();
        Object value = json.value();
        json.space();
        json.require(json.at == text.length(), "text after the end");
        return value;
    }

    @SuppressWarnings("unchecked") // an object's names are texts
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked") // a list holds whatever it holds
    public static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private Object value() {
        require(at < text.length(), "a value");
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        while (text.charAt(at) != '}') {
            if (!map.isEmpty()) {
                take(',');
                space();
            }
            String name = string();
            space();
            take(':');
            space();
            require(!map.containsKey(name), "only one " + name);
            map.put(name, value());
            space();
        }
        at++;
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        while (text.charAt(at) != ']') {
            if (!list.isEmpty()) {
                take(',');
                space();
            }
            list.add(value());
            space();
        }
        at++;
        return list;
    }

    private String string() {
        take('"');
        StringBuilder out = new StringBuilder();
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            require(c >= 0x20, "no raw control character");
            out.append(c == '\\' ? escape() : c);
        }
        at++;
        return out.toString();
    }

    private char escape() {
        char c = text.charAt(at++);
        if (c == 'u') {
            String digits = text.substring(at, at + 4);
            require(digits.matches("[0-9a-fA-F]{4}"), "four hex digits");
            at += 4;
            return (char) Integer.parseInt(digits, 16);
        }
        int known = "\"\\/bfnrt".indexOf(c);
        require(known >= 0, "a known escape");
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private Object word(String word, Object value) {
        require(text.startsWith(word, at), word);
        at += word.length();
        return value;
    }

    private BigDecimal number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        require(matcher.lookingAt(), "a number");
        at = matcher.end();
        return new BigDecimal(matcher.group());
    }

    private void take(char expected) {
        require(at < text.length() && text.charAt(at) == expected, "a " + expected);
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void require(boolean met, String what) {
        if (!met) {
            throw new IllegalArgumentException("expected " + what + " at " + at + " of " + text);
        }
    }
}
