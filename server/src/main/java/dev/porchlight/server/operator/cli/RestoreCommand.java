// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AnchorPlace;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.operator.backup.Restore;
import dev.porchlight.server.operator.backup.Restore.Restored;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores the embedded database. */
@Command(
        name = "restore",
        header = "Put a backup in the place of the embedded database.",
        description = {
            "",
            "The service must be stopped. The backup is checked in full before anything is touched. Data that is",
            "there is kept: it refuses the restore, or with --replace stays beside it under a name that ends with",
            ".replaced- and the time.",
            "",
            "Passkeys that were registered and removed since the backup are as they were then. With PostgreSQL,",
            "use pg_restore."
        })
final class RestoreCommand extends OnEmbedded {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");

    @Parameters(paramLabel = "FILE", description = "the backup")
    private Path file = Path.of("");

    @Option(names = "--replace", description = "set aside what is there")
    private boolean replace;

    RestoreCommand() {
        super("pg_restore");
    }

    @Override
    int run(Config config, Path database) throws Exception {
        String suffix = ".replaced-" + TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        Restored restored = new Restore(database, config.get(Settings.DATA_DIR), suffix).run(file, replace);
        // it says how far the log had come that was replaced
        Path anchor = AnchorPlace.fileOf(
                config.get(Settings.DATA_DIR), config.get(Settings.DATABASE_URL).identity());
        if (Files.exists(anchor)) {
            Files.move(anchor, Path.of(anchor + suffix));
        }
        if (config.get(Settings.REDIS_URL).isPresent()) {
            err().println("Redis still says how far the replaced audit log had come: run ./porchlight audit accept.");
        }
        out().println("restored " + restored.manifest().passkeys() + " passkeys, as they were at "
                + restored.manifest().createdAt());
        Optional<String> secret = config.get(Settings.SESSION_SECRET).or(restored::secret);
        if (secret.isEmpty() || !restored.opensWith(secret.get())) {
            err().println("The backup was made under another SESSION_SECRET: set that one, or sessions, tokens and the"
                    + " audit log are lost and the service stays unready until the old signing keys are removed.");
        }
        return 0;
    }
}
