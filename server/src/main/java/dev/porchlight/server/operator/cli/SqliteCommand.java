// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.nio.file.Path;
import java.util.Optional;

/** A command for the file of the embedded database. PostgreSQL has its own tools. */
abstract class SqliteCommand extends BaseCommand {
    private final String tool;

    SqliteCommand(String tool) {
        this.tool = tool;
    }

    @Override
    public final Integer call() throws Exception {
        Config config = Config.read(cli().environment);
        Optional<Path> database = config.get(Settings.DATABASE_URL).file();
        if (database.isEmpty()) {
            err().println(
                            "Error: this command needs the embedded database, but DATABASE_URL names another one. For PostgreSQL use "
                                    + tool + ", and store SESSION_SECRET too.");
            return Cli.INVALID_USAGE;
        }
        return run(config, database.get());
    }

    /** Does the work and returns the exit status. */
    abstract int run(Config config, Path database) throws Exception;
}
