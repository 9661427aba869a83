// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.server.config.Config;
import java.util.Map;
import picocli.CommandLine.Command;

/** Verifies the audit log. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        header = "Check that no row of the audit log was changed, removed or slipped in.",
        description = {"", "Needs the SESSION_SECRET that the rows were written under. Ends with 1 if a row is wrong."})
final class AuditVerify extends OnStore {
    AuditVerify(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, OpenStore store) {
        var result = store.auditVerification().verify();
        result.faults().forEach(fault -> err().println(fault));
        out().println(counted(result.rows(), "row") + ", "
                + counted(result.faults().size(), "fault"));
        return result.faults().isEmpty() ? 0 : Cli.FAILED;
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
