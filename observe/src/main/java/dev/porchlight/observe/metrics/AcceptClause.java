// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One clause of an Accept or Accept-Encoding header: a lowercase value with parameters, including {@code q}. */
record AcceptClause(String value, Map<String, String> parameters) {

    static List<AcceptClause> parse(@Nullable String header) {
        List<AcceptClause> clauses = new ArrayList<>();
        for (String text : split(header == null ? "" : header, ',')) {
            List<String> parts = split(text, ';');
            Map<String, String> parameters = new HashMap<>();
            for (String part : parts.subList(1, parts.size())) {
                int equals = part.indexOf('=');
                if (equals > 0) {
                    parameters.put(lower(part.substring(0, equals)), unquoted(part.substring(equals + 1)));
                }
            }
            clauses.add(new AcceptClause(lower(parts.get(0)), Map.copyOf(parameters)));
        }
        return clauses;
    }

    /** Returns the parameter {@code q}: 1 if absent, 0 if it is not a number from 0 to 1. */
    double weight() {
        String text = parameter("q", "1");
        if (!text.matches("[01](\\.[0-9]{0,3})?")) {
            return 0;
        }
        double weight = Double.parseDouble(text);
        return weight <= 1 ? weight : 0;
    }

    boolean has(String name) {
        return parameters.containsKey(name);
    }

    String parameter(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    private static String lower(String text) {
        return text.strip().toLowerCase(Locale.ROOT);
    }

    private static String unquoted(String text) {
        String value = text.strip();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Splits outside quotes. Returns at least one part. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
