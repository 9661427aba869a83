// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads environment variables by the rules OpenTelemetry has for all of them: an empty one is unset, a bad one is told to
 * the listener and then as good as unset, and a boolean is true only when it says so.
 */
final class Environment {
    private final Map<String, String> variables;
    private final TraceListener listener;

    Environment(Map<String, String> variables, TraceListener listener) {
        this.variables = variables;
        this.listener = listener;
    }

    /** The first of the variables that is set. */
    @Nullable
    String text(String... names) {
        String name = set(names);
        return name == null ? null : value(name);
    }

    /** The name of the first of the variables that is set. */
    @Nullable
    String set(String... names) {
        for (String name : names) {
            if (!value(name).isEmpty()) {
                return name;
            }
        }
        return null;
    }

    boolean flag(String name) {
        String value = value(name);
        if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            warn(name, "is neither true nor false and counts as false");
        }
        return value.equalsIgnoreCase("true");
    }

    /** One of the values that have a name, from the first of the variables that is set. */
    <T> T choice(T fallback, Map<String, T> choices, String... names) {
        String name = set(names);
        if (name == null) {
            return fallback;
        }
        T chosen = choices.get(value(name).toLowerCase(Locale.ROOT));
        if (chosen != null) {
            return chosen;
        }
        warn(name, "is none of " + String.join(", ", new TreeSet<>(choices.keySet())) + "; the default is used");
        return fallback;
    }

    /** A whole number from {@code min} to {@code max}, from the first of the variables that is set. */
    int count(int fallback, int min, int max, String... names) {
        String name = set(names);
        if (name == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(value(name));
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        warn(name, "is not a whole number from " + min + " to " + max + "; " + fallback + " is used");
        return fallback;
    }

    Duration millis(int fallback, String... names) {
        return Duration.ofMillis(count(fallback, 0, Integer.MAX_VALUE, names));
    }

    /** Tells of a variable that was not understood; the text must not hold its value, which may be a secret. */
    void warn(String name, String problem) {
        try {
            listener.event(new TraceEvent(
                    TraceEvent.Kind.CONFIGURATION, name + " " + problem, Attributes.of("variable", name)));
        } catch (RuntimeException ignored) {
            // a listener's trouble is not the spans' trouble
        }
    }

    private String value(String name) {
        return variables.getOrDefault(name, "").strip();
    }
}
