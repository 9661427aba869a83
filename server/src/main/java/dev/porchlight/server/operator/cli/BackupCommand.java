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
        header = "Back up the embedded database into a new file, also while the service runs.",
        description = {
            "",
            "The backup is the database at one moment, checked, and the secret that the service made for itself.",
            "Whoever has it can sign tokens: it is readable by its owner only, and is to be kept that way.",
            "A SESSION_SECRET that was configured is not in it and must be kept beside it.",
            "",
            "Run it as the user that the service runs as. With PostgreSQL, use pg_dump."
        })
final class BackupCommand extends OnEmbedded {
    @Parameters(paramLabel = "FILE", description = "where to write it; must not be there yet")
    private Path file = Path.of("");

    BackupCommand() {
        super("pg_dump");
    }

    @Override
    int run(Config config, Path database) throws Exception {
        if (!Files.exists(database)) { // and none is to be made, nor a secret
            throw new IOException("there is no database at " + database);
        }
        Optional<String> configured = config.get(Settings.SESSION_SECRET);
        Path kept = config.get(Settings.DATA_DIR).resolve(SessionSecret.FILE);
        if (configured.isEmpty() && !Files.exists(kept)) {
            throw new IOException("there is no secret at " + kept + ": set DATA_DIR as it is for the service");
        }
        String secret = SessionSecret.of(configured, config.get(Settings.DATA_DIR), new SecureRandom());
        Manifest made = Backup.write(
                database, secret, configured.isEmpty(), file, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        out().println("backed up " + made.passkeys() + " passkeys to " + file);
        if (configured.isPresent()) {
            err().println(
                            "SESSION_SECRET is not in it: keep that too, or sessions, tokens and the audit log are lost.");
        }
        return 0;
    }
}
