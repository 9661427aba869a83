// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.ConfigReader;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import java.util.Map;
import picocli.CommandLine.Command;

/** Explains the configuration. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Show every variable: the value in force, where it comes from, and what it means.",
        description = {
            "",
            "Of secrets it shows only whether they are set. Ends with 2, and says why, if the service would not start."
        })
final class ShowConfig extends Output {
    private final Map<String, String> environment;

    ShowConfig(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InvalidConfigException {
        ConfigReader reader = new ConfigReader(environment);
        for (Setting<?> setting : Settings.all()) {
            out().println(setting + " = " + reader.describe(setting));
            out().println("    " + setting.help());
        }
        out().flush();
        reader.config();
        return 0;
    }
}
