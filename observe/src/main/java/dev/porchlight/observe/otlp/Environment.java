// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads environment variables by OpenTelemetry's rules: an empty variable is unset, an invalid one is reported and then
 * treated as unset, and a boolean is true only if its value is {@code true}. Not thread-safe.
 */
public final class Environment {
    private final Map<String, String> variables;
    private final BiConsumer<String, String> warnings;

    /** Creates a reader that passes the name of each invalid variable and a sentence about it to {@code warnings}. */
    public Environment(Map<String, String> variables, BiConsumer<String, String> warnings) {
        this.variables = variables;
        this.warnings = warnings;
    }

    public String value(String name) {
        return variables.getOrDefault(name, "").strip();
    }

    public @Nullable String firstSet(String... names) {
        for (String name : names) {
            if (!value(name).isEmpty()) {
                return name;
            }
        }
        return null;
    }

    public boolean flag(String name) {
        String value = value(name);
        if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            warn(name, "is neither true nor false; false is used");
        }
        return value.equalsIgnoreCase("true");
    }

    /** Returns one of the named choices, from the first variable that is set. */
    public <T> T choice(T fallback, Map<String, T> choices, String... names) {
        String name = firstSet(names);
        if (name == null) {
            return fallback;
        }
        T chosen = choices.get(value(name).toLowerCase(Locale.ROOT));
        if (chosen != null) {
            return chosen;
        }
        warn(name, "is not one of " + String.join(", ", new TreeSet<>(choices.keySet())) + "; the default is used");
        return fallback;
    }

    /** Returns an integer from {@code min} to {@code max}, from the first variable that is set. */
    public int count(int fallback, int min, int max, String... names) {
        String name = firstSet(names);
        if (name == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(value(name));
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number out of range
        }
        warn(name, "is not a whole number from " + min + " to " + max + "; " + fallback + " is used");
        return fallback;
    }

    public Duration millis(int fallback, String... names) {
        return Duration.ofMillis(count(fallback, 0, Integer.MAX_VALUE, names));
    }

    /**
     * Parses a list {@code k=v,k2=v2} with percent-encoded values, as in W3C baggage, in order. Returns null if any
     * part is malformed.
     */
    public @Nullable Map<String, String> pairs(String name) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String member : value(name).split(",", -1)) {
            if (member.isBlank()) {
                continue;
            }
            int equals = member.indexOf('=');
            String key = member.substring(0, Math.max(0, equals)).strip();
            String value = decode(member.substring(equals + 1).strip());
            if (key.isEmpty() || value == null) {
                return null;
            }
            pairs.put(key, value);
        }
        return pairs;
    }

    /** Reports an invalid variable. The text must not contain its value, which may be a secret. */
    public void warn(String name, String problem) {
        try {
            warnings.accept(name, name + " " + problem);
        } catch (RuntimeException ignored) {
            // a failing listener must not prevent the start
        }
    }

    private static @Nullable String decode(String text) {
        try {
            String decoded = URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
            return decoded.indexOf('\uFFFD') >= 0 ? null : decoded; // bytes that are not UTF-8
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
