// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Settings;
import picocli.CommandLine.Command;

/** Runs the service. */
@Command(
        name = "serve",
        header = "Start the service and run it until it is told to stop.",
        description = {
            "",
            "Without configuration it listens on http://localhost:" + Settings.DEFAULT_PORT + " and keeps its data in "
                    + Settings.DEFAULT_DATA_DIR + ".",
            "On SIGTERM readiness goes down first, requests under way end, and the status is 0."
        })
final class Serve extends Output {
    @Override
    public Integer call() throws Exception {
        cli().service.run(cli().environment);
        return 0;
    }
}
