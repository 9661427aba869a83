// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.nio.file.Path;
import java.util.Optional;

/** A command that works on the file of the embedded database; PostgreSQL has tools of its own. */
abstract class OnEmbedded extends Output {
    private final String tool;

    OnEmbedded(String tool) {
        this.tool = tool;
    }

    @Override
    public final Integer call() throws Exception {
        Config config = Config.read(cli().environment);
        Optional<Path> database = config.get(Settings.DATABASE_URL).file();
        if (database.isEmpty()) {
            err().println("This is for the embedded database; DATABASE_URL names another. For PostgreSQL use " + tool
                    + ", and keep SESSION_SECRET too.");
            return Cli.BAD_USE;
        }
        return run(config, database.get());
    }

    /** Does the work and returns the status to exit with. */
    abstract int run(Config config, Path database) throws Exception;
}
