// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AnchorPlace;
import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.operator.backup.Backup;
import dev.porchlight.server.operator.backup.Restore;
import dev.porchlight.server.operator.backup.Restore.Restored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for the file of the embedded database. PostgreSQL has its own tools. */
final class BackupCommands {
    private BackupCommands() {}

    private abstract static class SqliteCommand extends BaseCommand {
        private final String tool;

        SqliteCommand(String tool) {
            this.tool = tool;
        }

        @Override
        final int run() throws Exception {
            Config config = config();
            Optional<Path> database = config.get(Settings.DATABASE_URL).file();
            if (database.isEmpty()) {
                err().println(
                                "Error: this command needs the embedded database, but DATABASE_URL names another one. For PostgreSQL use "
                                        + tool + ", and store SESSION_SECRET too.");
                return Cli.INVALID_USAGE;
            }
            run(config, database.get());
            return 0;
        }

        abstract void run(Config config, Path database) throws Exception;
    }

    /** Backs up the embedded database. */
    @Command(
            name = "backup",
            header = "Back up the embedded database to a new file, also while the service runs.",
            description = {
                "",
                "The backup is a verified snapshot of the database, with the secret that the service generated.",
                "Anyone with the backup can sign tokens. Its file is readable by its owner only; keep it that way.",
                "A configured SESSION_SECRET is not included. Store it separately.",
                "",
                "Run it as the service's own user. For PostgreSQL, use pg_dump."
            })
    static final class BackupCommand extends SqliteCommand {
        @Parameters(paramLabel = "FILE", description = "the backup; must not exist")
        private Path file = Path.of("");

        BackupCommand() {
            super("pg_dump");
        }

        @Override
        void run(Config config, Path database) throws Exception {
            if (!Files.exists(database)) { // do not create one, nor a secret
                throw new IOException("the database " + database + " does not exist");
            }
            Optional<String> configured = config.get(Settings.SESSION_SECRET);
            Path kept = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
            if (configured.isEmpty() && !Files.exists(kept)) {
                throw new IOException("the secret " + kept + " does not exist: set DATA_DIR as for the service");
            }
            String secret = SessionSecret.of(configured, config.get(Settings.DATA_DIR), new SecureRandom());
            Backup.Manifest manifest = Backup.write(
                    database, secret, configured.isEmpty(), file, Instant.now().truncatedTo(ChronoUnit.SECONDS));
            out().println("backed up " + counted(manifest.passkeys(), "passkey") + " to " + file);
            if (configured.isPresent()) {
                err().println(
                                "SESSION_SECRET is not included. Without it, sessions, tokens and the audit log are lost: store it too.");
            }
        }
    }

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
    static final class RestoreCommand extends SqliteCommand {
        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");

        @Parameters(paramLabel = "FILE", description = "the backup")
        private Path file = Path.of("");

        @Option(names = "--replace", description = "rename existing data and restore")
        private boolean replace;

        RestoreCommand() {
            super("pg_restore");
        }

        @Override
        void run(Config config, Path database) throws Exception {
            String suffix = ".replaced-" + TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
            Path directory = config.get(Settings.DATA_DIR);
            Restored restored = new Restore(database, directory, suffix).run(file, replace);
            // the anchor belongs to the replaced log
            Path anchor = AnchorPlace.fileOf(
                    directory, config.get(Settings.DATABASE_URL).identity());
            if (Files.exists(anchor)) {
                Files.move(anchor, Path.of(anchor + suffix));
            }
            out().println("restored " + counted(restored.manifest().passkeys(), "passkey") + ", as of "
                    + restored.manifest().createdAt());
            Optional<String> secret = config.get(Settings.SESSION_SECRET).or(restored::secret);
            if (secret.isEmpty() || !restored.opensWith(secret.get())) {
                err().println(
                                "Warning: the backup was created with another SESSION_SECRET. Set that secret; otherwise sessions,"
                                        + " tokens and the audit log are lost, and the service is not ready until the old signing keys are removed.");
            }
        }
    }
}
