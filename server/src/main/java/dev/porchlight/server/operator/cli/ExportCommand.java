// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.store.PasskeyExport;
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
            "Holds public keys, ids and names, and nothing to sign in with; sessions and signing keys stay. It is",
            "what the database held at one moment, and may be made while the service runs.",
        })
final class ExportCommand extends OnStore {
    @Parameters(paramLabel = "FILE", description = "where to write; must not be there yet; - for standard output")
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
        audit(storage, "passkeys_exported", "");
        return 0;
    }
}
