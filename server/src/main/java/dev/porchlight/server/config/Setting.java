// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.server.storage.DatabaseUrl;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * An environment variable: its name, default, accepted values and help. {@link Settings} has them all. Immutable.
 *
 * @param parser throws an {@link IllegalArgumentException} that describes accepted values
 * @param accepted the range or list of accepted values; empty if {@code purpose} describes them
 * @param defaultText a description of the default
 * @param defaultValue computes the default from the other settings; empty for none
 * @param secret whether the value is never displayed
 * @param fix a shell command that replaces an invalid value; empty if unsetting it is the best fix
 */
public record Setting<T>(
        String name,
        String purpose,
        Function<String, T> parser,
        String accepted,
        String defaultText,
        Function<ConfigReader, String> defaultValue,
        boolean secret,
        Function<ConfigReader, String> fix) {
    /** What is shown for a setting without a value. */
    public static final String UNSET = "unset";

    /** Refuses a text; the message describes accepted values. */
    static final class InvalidValueException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        final String problem;

        InvalidValueException(String problem, String needed) {
            super(needed);
            this.problem = problem;
        }

        static InvalidValueException quoting(String text, String fix) {
            return new InvalidValueException("is \"" + text + '"', fix);
        }
    }

    /** A setting without a default. */
    static <T> Setting<T> parsed(String name, Function<String, T> parser) {
        return parsed(name, parser, "");
    }

    static Setting<Integer> integer(String name, int defaultValue, int min, int max) {
        return parsed(name, text -> number(text, min, max), min + " to " + max)
                .withDefault(Integer.toString(defaultValue));
    }

    /** A duration, as a whole number of a unit. */
    static Setting<Duration> duration(String name, ChronoUnit unit, long defaultValue, int min, int max) {
        return parsed(name, text -> Duration.of(number(text, min, max), unit), min + " to " + max)
                .withDefault(Long.toString(defaultValue));
    }

    /** A constant of an enum, written in lower case. */
    static <E extends Enum<E>> Setting<E> choice(String name, E defaultValue) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : defaultValue.getDeclaringClass().getEnumConstants()) {
            words.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        return choice(name, words).withDefault(defaultValue.name().toLowerCase(Locale.ROOT));
    }

    /** A boolean: true for the first word, false for the second. */
    static Setting<Boolean> either(String name, String yes, String no) {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put(yes, true);
        words.put(no, false);
        return choice(name, words);
    }

    private static <T> Setting<T> choice(String name, Map<String, T> words) {
        String accepted = String.join(", ", words.keySet());
        Function<String, T> parser = text -> Optional.ofNullable(words.get(text))
                .orElseThrow(() -> InvalidValueException.quoting(text, "must be one of " + accepted));
        return parsed(name, parser, accepted);
    }

    private static <T> Setting<T> parsed(String name, Function<String, T> parser, String accepted) {
        return new Setting<>(name, "", parser, accepted, UNSET, reader -> "", false, reader -> "");
    }

    Setting<T> purpose(String text) {
        return new Setting<>(name, text, parser, accepted, defaultText, defaultValue, secret, fix);
    }

    Setting<T> withDefault(String value) {
        return withDefault(value, reader -> value);
    }

    /** Returns this setting with a default that depends on other settings. */
    Setting<T> withDefault(String description, Function<ConfigReader, String> value) {
        return new Setting<>(name, purpose, parser, accepted, description, value, secret, fix);
    }

    /** Returns this setting as an optional one; {@code effect} describes the behavior while it is unset. */
    Setting<Optional<T>> optional(String effect) {
        return new Setting<Optional<T>>(
                name,
                purpose,
                text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text)),
                accepted,
                effect.isEmpty() ? UNSET : UNSET + ": " + effect,
                reader -> "",
                secret,
                fix);
    }

    Setting<T> asSecret() {
        return new Setting<>(name, purpose, parser, accepted, defaultText, defaultValue, true, fix);
    }

    Setting<T> withFix(String command) {
        return withFix(reader -> command);
    }

    Setting<T> withFix(Function<ConfigReader, String> command) {
        return new Setting<>(name, purpose, parser, accepted, defaultText, defaultValue, secret, command);
    }

    /** A description of the setting and the accepted values. */
    public String help() {
        return accepted.isEmpty() ? purpose : purpose + " (" + accepted + ')';
    }

    /** A text for display: masks secrets, and credentials in URLs. */
    public String display(String text) {
        return secret ? "set" : DatabaseUrl.maskCredentials(text);
    }

    @Override
    public String toString() {
        return name;
    }

    private static int number(String text, int min, int max) {
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number out of range
        }
        throw InvalidValueException.quoting(text, "must be a whole number from " + min + " to " + max);
    }
}
