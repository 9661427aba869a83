// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Settings;
import picocli.CommandLine.Command;

/** Runs the service. */
@Command(
        name = "serve",
        header = "Start the service and run it until it is stopped.",
        description = {
            "",
            "Without configuration it listens on http://localhost:" + Settings.DEFAULT_PORT + " and stores its data in "
                    + Settings.DEFAULT_DATA_DIR + ".",
            "On SIGTERM, readiness turns false, open requests are completed, and the process exits with 0."
        })
final class ServeCommand extends BaseCommand {
    @Override
    public Integer call() throws Exception {
        cli().service.run(cli().environment);
        return 0;
    }
}
