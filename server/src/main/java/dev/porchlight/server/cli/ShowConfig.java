// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.SettingInForce;
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
        for (SettingInForce setting : SettingInForce.all(environment)) {
            out().println(setting.variable() + " = " + setting.value() + " (" + setting.source() + ')');
            out().println("    " + setting.variable().meaning());
        }
        out().flush();
        Config.read(environment);
        return 0;
    }
}
