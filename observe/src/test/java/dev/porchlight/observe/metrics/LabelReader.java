// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import static dev.porchlight.observe.metrics.ExpositionParser.require;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parses {@code {name="value",..}} with exactly the three defined escapes. */
final class LabelReader {
    private final String line;
    private final Map<String, String> labels = new LinkedHashMap<>();
    private int at;

    LabelReader(String line, int brace) {
        this.line = line;
        this.at = brace + 1;
        while (peek() != '}') {
            if (!labels.isEmpty()) {
                expect(',');
            }
            readPair();
        }
        expect('}');
    }

    Map<String, String> labels() {
        return labels;
    }

    /** Returns the index after the closing brace. */
    int end() {
        return at;
    }

    private void readPair() {
        int from = at;
        while (peek() != '=') {
            at++;
        }
        String name = line.substring(from, at);
        require(!name.isEmpty() && name.chars().noneMatch(c -> c == ' ' || c == '"'), "bad label in " + line);
        expect('=');
        expect('"');
        StringBuilder value = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            value.append(c == '\\' ? unescaped(next()) : c);
        }
        require(labels.put(name, value.toString()) == null, "duplicate label " + name + " in " + line);
    }

    private char unescaped(char c) {
        require(c == '\\' || c == '"' || c == 'n', "bad escape \\" + c + " in " + line);
        return c == 'n' ? '\n' : c;
    }

    private char peek() {
        require(at < line.length(), "labels do not end: " + line);
        return line.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char wanted) {
        require(next() == wanted, "expected " + wanted + " at " + (at - 1) + " of " + line);
    }
}
