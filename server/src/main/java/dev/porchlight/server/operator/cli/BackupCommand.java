// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.SessionSecret;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.operator.backup.Backup;
import dev.porchlight.server.operator.backup.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
final class BackupCommand extends SqliteCommand {
    @Parameters(paramLabel = "FILE", description = "the backup; must not exist")
    private Path file = Path.of("");

    BackupCommand() {
        super("pg_dump");
    }

    @Override
    int run(Config config, Path database) throws Exception {
        if (!Files.exists(database)) { // do not create one, nor a secret
            throw new IOException("the database " + database + " does not exist");
        }
        Optional<String> configured = config.get(Settings.SESSION_SECRET);
        Path kept = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
        if (configured.isEmpty() && !Files.exists(kept)) {
            throw new IOException("the secret " + kept + " does not exist: set DATA_DIR as for the service");
        }
        String secret = SessionSecret.of(configured, config.get(Settings.DATA_DIR), new SecureRandom());
        Manifest manifest = Backup.write(
                database, secret, configured.isEmpty(), file, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        out().println("backed up " + manifest.passkeys() + " passkeys to " + file);
        if (configured.isPresent()) {
            err().println(
                            "SESSION_SECRET is not included. Without it, sessions, tokens and the audit log are lost: store it too.");
        }
        return 0;
    }
}
