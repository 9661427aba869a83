// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads variables and gathers faults. A variable that is faulty reads as its default, so that reading goes on and the next
 * fault is found too. An empty variable is an unset one.
 */
final class Environment {
    private final Map<String, String> variables;
    private final List<Fault> faults = new ArrayList<>();

    Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    List<Fault> faults() {
        return faults;
    }

    boolean isFaulty(Variable variable) {
        return faults.stream().anyMatch(fault -> fault.variable().equals(variable.name()));
    }

    void fault(Variable variable, String wrong, String right) {
        faults.add(new Fault(variable.name(), wrong, right));
    }

    @Nullable
    String text(Variable variable) {
        String value = variables.getOrDefault(variable.name(), "").strip();
        return value.isEmpty() ? null : value;
    }

    /** A text that passes {@code test}, otherwise the default. */
    String text(Variable variable, String otherwise, Predicate<String> test, String right) {
        String value = text(variable);
        if (value == null) {
            return otherwise;
        }
        if (test.test(value)) {
            return value;
        }
        fault(variable, "is \"" + value + '"', right);
        return otherwise;
    }

    /** A text that {@code check} does not refuse with an {@link IllegalArgumentException}, otherwise the default. */
    String checked(Variable variable, String otherwise, Consumer<String> check) {
        String value = text(variable);
        if (value == null) {
            return otherwise;
        }
        try {
            check.accept(value);
            return value;
        } catch (IllegalArgumentException e) {
            fault(variable, "is wrong", String.valueOf(e.getMessage()));
            return otherwise;
        }
    }

    /** One of an enum's constants, written in lower case. */
    <E extends Enum<E>> E choice(Variable variable, E otherwise) {
        E[] choices = otherwise.getDeclaringClass().getEnumConstants();
        String words = Stream.of(choices).map(Environment::word).collect(Collectors.joining(", "));
        String chosen = text(variable, word(otherwise), value -> wordOf(choices, value) != null, "one of " + words);
        return Objects.requireNonNull(wordOf(choices, chosen));
    }

    /** The parts of a list with commas, without blanks. */
    List<String> list(Variable variable) {
        String value = text(variable);
        return value == null
                ? List.of()
                : Stream.of(value.split(",", -1))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .toList();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> @Nullable E wordOf(E[] choices, String word) {
        return Stream.of(choices)
                .filter(choice -> word(choice).equals(word))
                .findFirst()
                .orElse(null);
    }

    int number(Variable variable, int otherwise, int least, int most) {
        String value = text(variable);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below, like a number out of range
        }
        fault(variable, "is \"" + value + '"', "a whole number from " + least + " to " + most + " is needed");
        return otherwise;
    }

    /** Notes a fault unless the variable is unset or an absolute http or https address with a host. */
    void checkWebAddress(Variable variable) {
        text(variable, "", Environment::isWebAddress, "an address such as http://localhost:4318 is needed");
    }

    private static boolean isWebAddress(String text) {
        try {
            URI uri = new URI(text);
            return uri.getHost() != null
                    && ("http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
