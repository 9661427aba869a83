// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

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
 * @param parser refuses a text with an {@link IllegalArgumentException} that says what is needed
 * @param accepted the range or list of accepted values; empty where {@code purpose} describes them
 * @param defaultText the default, in words
 * @param defaultValue the default beside the other settings, as it would be set; empty for none
 * @param secret whether the value is never shown
 * @param fix a shell command that replaces an invalid value; empty where unsetting it is the best fix
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
    static final String UNSET = "unset";

    /** A refused text; its message says what is needed. */
    static final class InvalidValueException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        final String problem;

        InvalidValueException(String problem, String needed) {
            super(needed);
            this.problem = problem;
        }

        static InvalidValueException quoting(String text, String needed) {
            return new InvalidValueException("is \"" + text + '"', needed);
        }
    }

    /** A setting without a default. */
    static <T> Setting<T> parsed(String name, String purpose, Function<String, T> parser) {
        return parsed(name, purpose, parser, "");
    }

    static Setting<Integer> integer(String name, String purpose, int defaultValue, int min, int max) {
        return parsed(name, purpose, text -> number(text, min, max), min + " to " + max)
                .withDefault(Integer.toString(defaultValue));
    }

    /** A duration, as a whole number of a unit. */
    static Setting<Duration> duration(
            String name, String purpose, ChronoUnit unit, long defaultValue, int min, int max) {
        return parsed(name, purpose, text -> Duration.of(number(text, min, max), unit), min + " to " + max)
                .withDefault(Long.toString(defaultValue));
    }

    /** A constant of an enum, in lower case. */
    static <E extends Enum<E>> Setting<E> choice(String name, String purpose, E defaultValue) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : defaultValue.getDeclaringClass().getEnumConstants()) {
            words.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        return choice(name, purpose, words).withDefault(defaultValue.name().toLowerCase(Locale.ROOT));
    }

    /** True for the first word, false for the second. */
    static Setting<Boolean> either(String name, String purpose, String yes, String no) {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put(yes, true);
        words.put(no, false);
        return choice(name, purpose, words);
    }

    private static <T> Setting<T> choice(String name, String purpose, Map<String, T> words) {
        String accepted = String.join(", ", words.keySet());
        Function<String, T> parser = text -> Optional.ofNullable(words.get(text))
                .orElseThrow(() -> InvalidValueException.quoting(text, "one of " + accepted));
        return parsed(name, purpose, parser, accepted);
    }

    private static <T> Setting<T> parsed(String name, String purpose, Function<String, T> parser, String accepted) {
        return new Setting<>(name, purpose, parser, accepted, UNSET, reader -> "", false, reader -> "");
    }

    Setting<T> withDefault(String value) {
        return withDefault(value, reader -> value);
    }

    /** The same setting with a default that depends on other settings, as {@code description} says. */
    Setting<T> withDefault(String description, Function<ConfigReader, String> value) {
        return new Setting<>(name, purpose, parser, accepted, description, value, secret, fix);
    }

    /** The same setting with an absent value while it is unset, and what that means. */
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

    Setting<T> withFix(Function<ConfigReader, String> command) {
        return new Setting<>(name, purpose, parser, accepted, defaultText, defaultValue, secret, command);
    }

    /** What the setting is for, and the accepted values. */
    public String help() {
        return accepted.isEmpty() ? purpose : purpose + " (" + accepted + ')';
    }

    /** A text that was set, as it may be shown: of a secret, only that it is set; of others, without credentials. */
    public String display(String text) {
        return secret
                ? "set"
                : text.replaceAll("(?i)(password=)[^&]*", "$1********")
                        .replaceFirst("(?s)(://(?:[^:/@]*:)?).*@", "$1********@");
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
        throw InvalidValueException.quoting(text, "a whole number from " + min + " to " + max + " is needed");
    }
}
