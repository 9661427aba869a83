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
        header = "Show every variable: the value in force, where it comes from, and what it means.",
        description = {
            "",
            "Of secrets it shows only whether they are set. Ends with 2, and says why, if the service would not start."
        })
final class ShowConfig extends Output {
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
