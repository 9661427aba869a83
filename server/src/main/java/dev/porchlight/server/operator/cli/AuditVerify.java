// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Verifies the audit log. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        header = "Check that the audit log was not changed, cut, wiped or replaced.",
        description = {
            "",
            "Needs the SESSION_SECRET that the rows were written under. Ends with 1 if something is wrong. The last line is",
            "the newest row: kept elsewhere, it finds a log that was replaced together with its anchors."
        })
final class AuditVerify extends OnStore {
    @Option(
            names = "--expect",
            paramLabel = "HEAD",
            description = "a row that the log must contain, as an earlier run or the service's log printed it")
    private List<String> expected = new ArrayList<>();

    AuditVerify(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, StorageModule storage) {
        var guard = storage.auditGuard();
        List<String> faults = new ArrayList<>(guard.faults());
        var result = storage.auditVerification().verify();
        faults.addAll(result.faults());
        expected.forEach(head -> guard.missing(head).ifPresent(faults::add));
        faults.forEach(fault -> err().println(fault));
        out().println(counted(result.rows(), "row") + ", " + counted(faults.size(), "fault"));
        guard.newest().ifPresent(head -> out().println("head " + head));
        return faults.isEmpty() ? 0 : Cli.FAILED;
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
