// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.operator.transfer.Export;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.wiring.StorageModule;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes all passkeys as JSON lines. */
@Command(
        name = "export",
        header = "Write all users and passkeys as JSON lines, for import.",
        description = {
            "",
            "Contains public keys, ids and names, but no sessions and no signing keys. It is a snapshot of the database"
                    + " and can be written while the service runs.",
        })
final class ExportCommand extends StorageCommand {
    @Parameters(paramLabel = "FILE", description = "the export; must not exist; - for standard output")
    private String file = "";

    @Override
    int run(Config config, StorageModule storage) throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        if (file.equals("-")) {
            new Export(out()).write(new PasskeyExport(storage.database().dataSource()), now);
            if (out().checkError()) {
                throw new IOException("the export could not be written");
            }
        } else {
            try (NewFile target = NewFile.named(Path.of(file));
                    Writer lines = new BufferedWriter(new OutputStreamWriter(target.out(), UTF_8))) {
                long passkeys = new Export(lines)
                        .write(new PasskeyExport(storage.database().dataSource()), now);
                target.keep();
                out().println("exported " + passkeys + " passkeys to " + file);
            }
        }
        audit(storage, AuditAction.PASSKEYS_EXPORTED, "");
        return 0;
    }
}
