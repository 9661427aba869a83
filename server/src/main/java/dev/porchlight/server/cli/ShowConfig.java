// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Variable;
import java.util.Map;
import picocli.CommandLine.Command;

/** Explains the configuration. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Show every variable: its value, where that came from, and what it means.",
        description = {"", "Secrets are hidden. Ends with 2, and says why, if the service would not start with it."})
final class ShowConfig extends Output {
    private final Map<String, String> environment;

    ShowConfig(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InvalidConfigException {
        for (Variable variable : Variable.values()) {
            String value = environment.getOrDefault(variable.name(), "").strip();
            out().println(
                            value.isEmpty()
                                    ? variable + " = " + variable.standard() + " (default)"
                                    : variable + " = " + variable.shown(value) + " (environment)");
            out().println("    " + variable.meaning());
        }
        out().flush();
        Config.read(environment);
        return 0;
    }
}
