// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Accepts an audit log that is older than its anchors. */
@Command(
        name = "accept",
        mixinStandardHelpOptions = true,
        header = "Accept an audit log that lost rows, after a restore or a failover.",
        description = {
            "",
            "Anchors say how far the log had come. After this they say how far it is now, and an audit row says that it was",
            "accepted. Faults within the chains stay."
        })
final class AuditAccept extends OnStore {
    AuditAccept(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, StorageModule storage) throws IOException {
        var guard = storage.auditGuard();
        List<String> faults = guard.faults();
        if (faults.isEmpty()) {
            out().println("Nothing to accept: the log contains what its anchors say.");
            return 0;
        }
        audit(storage, "audit_accepted", "");
        out().println("accepted: " + String.join("; ", faults));
        guard.anchor().ifPresent(head -> out().println("head " + head));
        return 0;
    }
}
