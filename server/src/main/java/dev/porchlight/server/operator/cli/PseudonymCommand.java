// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a user's pseudonym in the logs. */
@Command(
        name = "pseudonym",
        header = "Print the pseudonym of a user in the logs.",
        description = {
            "",
            "It is the field `user` of log lines about registrations and logins, and stays the same when the secret is"
                    + " rotated. It cannot be converted back to the user id; the audit log has the ids."
        })
final class PseudonymCommand extends StorageCommand {
    @Parameters(paramLabel = "USER", description = "the user id")
    private String user = "";

    @Override
    int run(Config config, StorageModule storage) {
        UserIds.requireExisting(user);
        out().println(storage.pseudonyms().of(user));
        return 0;
    }
}
