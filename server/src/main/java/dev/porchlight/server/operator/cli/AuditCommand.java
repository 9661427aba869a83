// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditAction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The audit log. */
@Command(name = "audit", header = "Verify the audit log, or accept it after a restore.")
final class AuditCommand extends CommandGroup {
    @Command(
            name = "verify",
            header = "Check that the audit log was not changed, truncated, wiped or replaced.",
            description = {
                "",
                "Requires the SESSION_SECRET that the rows were written with. Exits with 1 if there are faults. The last line is"
                        + " the newest row. Store it elsewhere to detect a log that was replaced together with its anchors."
            })
    int verify(
            @Option(
                            names = "--expect",
                            paramLabel = "HEAD",
                            description =
                                    "a row that the log must contain, as printed by an earlier run or the service's log")
                    @Nullable
                    List<String> expected)
            throws Exception {
        var guard = storage().auditGuard();
        List<String> faults = new ArrayList<>(guard.faults());
        var result = storage().auditVerification().verify();
        faults.addAll(result.faults());
        if (expected != null) {
            expected.forEach(head -> guard.missing(head).ifPresent(faults::add));
        }
        faults.forEach(fault -> err().println(fault));
        out().println(counted(result.rows(), "row") + ", " + counted(faults.size(), "fault"));
        guard.newest().ifPresent(head -> out().println("head " + head));
        return faults.isEmpty() ? 0 : Cli.FAILED;
    }

    @Command(
            name = "accept",
            header = "Accept an audit log that lost rows, after a restore or a failover.",
            description = {
                "",
                "Sets the anchors to the current end of the log and writes an audit row about it. Faults within the chains"
                        + " remain."
            })
    void accept() throws Exception {
        var guard = storage().auditGuard();
        List<String> faults = guard.faults();
        if (faults.isEmpty()) {
            out().println("Nothing to accept: the log matches its anchors.");
            return;
        }
        audit(AuditAction.AUDIT_ACCEPTED, "");
        out().println("accepted: " + String.join("; ", faults));
        guard.anchor().ifPresent(head -> out().println("head " + head));
    }
}
