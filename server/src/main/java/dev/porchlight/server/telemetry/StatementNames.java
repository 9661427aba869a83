// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Span names of statements: verb and table. Thread-safe. */
final class StatementNames {
    private static final Pattern SHAPE = Pattern.compile(
            "(?is)^\\s*(select|insert|update|delete)\\b.*?\\b(?:from|into|update)?\\s*(passkey_\\w+|porchlight_\\w+).*");

    private static final Pattern PARENTHESES = Pattern.compile("\\([^()]*\\)");

    /** There are a few dozen statements, all of them constants. */
    private static final int KEPT = 256;

    private final Map<String, String> names = new ConcurrentHashMap<>();

    String of(String sql) {
        String known = names.get(sql);
        if (known != null) {
            return known;
        }
        String name = read(sql);
        if (names.size() < KEPT) {
            names.put(sql, name);
        }
        return name;
    }

    private static String read(String sql) {
        Matcher shape = SHAPE.matcher(outermost(sql));
        if (!shape.matches()) {
            shape = SHAPE.matcher(sql);
        }
        return shape.matches() ? shape.group(1).toUpperCase(Locale.ROOT) + ' ' + shape.group(2) : sql;
    }

    /** Returns the statement without its subqueries, whose tables are not its subject. */
    private static String outermost(String sql) {
        String flat = sql;
        for (String before = ""; !flat.equals(before); ) {
            before = flat;
            flat = PARENTHESES.matcher(before).replaceAll("");
        }
        return flat;
    }
}
