// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.base.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds variables whose names are almost those of {@link Settings}, which would otherwise be ignored silently. */
final class Misspellings {
    /** Other programs have names that differ from a shorter one by a letter, such as {@code POST} or {@code PORTS}. */
    private static final int SHORT = 6;

    private static final int CHARACTERS_PER_ERROR = 5;
    private static final int MAX_ERRORS = 3;

    private Misspellings() {}

    /** A sentence for each misspelled variable, in alphabetical order. */
    static List<String> in(Collection<String> variables) {
        List<String> names = Settings.all().stream().map(Setting::name).toList();
        return variables.stream()
                .filter(variable -> !variable.isEmpty() && !names.contains(variable))
                .sorted()
                .flatMap(
                        variable -> closest(names, variable)
                                .map(name -> variable + " is not a setting. Did you mean " + name + '?')
                                .stream())
                .toList();
    }

    private static Optional<String> closest(List<String> names, String variable) {
        String typed = variable.toUpperCase(Locale.ROOT).replace('-', '_');
        return names.stream()
                .filter(name -> isSimilar(name, typed))
                .min(Comparator.comparing(name -> EditDistance.of(name, typed)));
    }

    /** People rarely mistype the first letter, and a further word is another variable. */
    private static boolean isSimilar(String name, String typed) {
        int allowed = Math.min(Math.max(1, name.length() / CHARACTERS_PER_ERROR), MAX_ERRORS);
        return typed.charAt(0) == name.charAt(0)
                && Math.abs(typed.length() - name.length()) <= allowed
                && !typed.startsWith(name + '_')
                && EditDistance.of(name, typed) <= allowed
                && (name.length() >= SHORT || letters(name).equals(letters(typed)) && !typed.equals(name + 'S'));
    }

    private static String letters(String name) {
        return name.chars()
                .filter(Character::isLetter)
                .sorted()
                .distinct()
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
