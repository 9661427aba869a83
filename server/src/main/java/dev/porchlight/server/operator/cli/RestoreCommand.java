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
        header = "Replace the embedded database with a backup.",
        description = {
            "",
            "Stop the service first. The backup is verified before anything is changed. If there is data already, the"
                    + " restore is refused; with --replace the data is renamed to a file that ends with .replaced- and the time.",
            "",
            "Changes to passkeys since the backup are lost. For PostgreSQL, use pg_restore."
        })
final class RestoreCommand extends SqliteCommand {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");

    @Parameters(paramLabel = "FILE", description = "the backup")
    private Path file = Path.of("");

    @Option(names = "--replace", description = "rename existing data and restore")
    private boolean replace;

    RestoreCommand() {
        super("pg_restore");
    }

    @Override
    int run(Config config, Path database) throws Exception {
        String suffix = ".replaced-" + TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        Restored restored = new Restore(database, config.get(Settings.DATA_DIR), suffix).run(file, replace);
        // the anchor belongs to the replaced log
        Path anchor = AnchorPlace.fileOf(
                config.get(Settings.DATA_DIR), config.get(Settings.DATABASE_URL).identity());
        if (Files.exists(anchor)) {
            Files.move(anchor, Path.of(anchor + suffix));
        }
        out().println("restored " + restored.manifest().passkeys() + " passkeys, as they were at "
                + restored.manifest().createdAt());
        Optional<String> secret = config.get(Settings.SESSION_SECRET).or(restored::secret);
        if (secret.isEmpty() || !restored.opensWith(secret.get())) {
            err().println(
                            "Warning: the backup was created with another SESSION_SECRET. Set that secret; otherwise sessions,"
                                    + " tokens and the audit log are lost, and the service is not ready until the old signing keys are removed.");
        }
        return 0;
    }
}
