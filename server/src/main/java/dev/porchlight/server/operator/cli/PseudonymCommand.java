// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tells by which name a user goes in the logs. */
@Command(
        name = "pseudonym",
        header = "Print the name that a user goes by in the logs.",
        description = {
            "",
            "It stands in the field `user` of the lines about registrations and logins, and is always the",
            "same under the same SESSION_SECRET. Nobody finds the user from it; the audit log has the ids."
        })
final class PseudonymCommand extends OnStore {
    @Parameters(paramLabel = "USER", description = "the user's id")
    private String user = "";

    @Override
    int run(Config config, StorageModule storage) {
        UserIds.requireExisting(user);
        out().println(storage.pseudonyms().of(user));
        return 0;
    }
}
