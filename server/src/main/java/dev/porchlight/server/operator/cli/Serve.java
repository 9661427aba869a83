// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Settings;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Runs the service. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        header = "Start the service and run it until it is told to stop.",
        description = {
            "",
            "Without configuration it listens on http://localhost:" + Settings.DEFAULT_PORT + " and keeps its data in "
                    + Settings.DEFAULT_DATA_DIR + ".",
            "On SIGTERM readiness goes down first, requests under way end, and the status is 0."
        })
final class Serve implements Callable<Integer> {
    private final Map<String, String> environment;
    private final Cli.Service service;

    Serve(Map<String, String> environment, Cli.Service service) {
        this.environment = environment;
        this.service = service;
    }

    @Override
    public Integer call() throws Exception {
        service.run(environment);
        return 0;
    }
}
