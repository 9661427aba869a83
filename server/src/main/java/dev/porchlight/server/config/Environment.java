// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
