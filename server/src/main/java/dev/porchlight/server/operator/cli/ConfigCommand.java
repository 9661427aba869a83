// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.ConfigReader;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import picocli.CommandLine.Command;

/** Explains the configuration. */
@Command(
        name = "config",
        header = "Show every variable: its value, the source of the value, and its meaning.",
        description = {"", "Secrets are shown as set or unset. Exits with 2 if the configuration is invalid."})
final class ConfigCommand extends BaseCommand {
    @Override
    public Integer call() throws InvalidConfigException {
        ConfigReader reader = new ConfigReader(cli().environment);
        for (Setting<?> setting : Settings.all()) {
            out().println(setting + " = " + reader.describe(setting));
            out().println("    " + setting.help());
        }
        out().flush();
        reader.config();
        return 0;
    }
}
