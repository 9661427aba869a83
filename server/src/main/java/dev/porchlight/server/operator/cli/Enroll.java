// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.wiring.StorageModule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets a user enroll. */
@Command(
        name = "enroll",
        header = "Print a link by which a user registers a passkey.",
        description = {
            "",
            "The link is good for ten minutes and one passkey, for a new user or for one who lost his.",
            "Whoever opens it becomes that user: hand it over by a way you trust."
        })
final class Enroll extends OnStore {
    @Parameters(paramLabel = "USER", description = "the user's id, 1 to 256 characters")
    private String user = "";

    @Override
    int run(Config config, StorageModule storage) throws Exception {
        UserIds.require(user);
        String holder = TakenNames.reserve(storage.sql(), user);
        if (holder != null) {
            throw new IllegalArgumentException("the name is taken by the user " + holder
                    + ": give the id in that spelling, or choose another name");
        }
        String token = storage.enrollments().forAnyUser(user).token();
        audit(storage, "enrollment_issued", user);
        out().println(config.relyingParty().origin() + "/#enroll=" + token);
        return 0;
    }
}
