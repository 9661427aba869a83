// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Settings;
import picocli.CommandLine.Command;

/** Runs the service. */
@Command(
        name = "serve",
        header = "Start the service, by default on http://localhost:" + Settings.DEFAULT_PORT + " with its data in "
                + Settings.DEFAULT_DATA_DIR + ".",
        description = {
            "",
            "On SIGTERM, readiness turns false, open requests are completed, and the process exits with 0."
        })
final class ServeCommand extends BaseCommand {
    @Override
    public Integer call() throws Exception {
        cli().service.run(cli().environment);
        return 0;
    }
}
