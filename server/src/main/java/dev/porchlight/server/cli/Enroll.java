// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets a user enrol. */
@Command(
        name = "enroll",
        mixinStandardHelpOptions = true,
        header = "Print a link by which a user registers a passkey.",
        description = {
            "",
            "The link is good for ten minutes and one passkey, for a new user or for one who lost his.",
            "Whoever opens it becomes that user: hand it over by a way you trust."
        })
final class Enroll extends OnStore {
    @Parameters(paramLabel = "USER", description = "the user's id, 1 to 256 characters")
    private String user = "";

    Enroll(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, OpenStore store) throws Exception {
        UserIds.require(user);
        String token = store.invite(user).token();
        store.audit("enrolment_issued", user);
        out().println(config.relyingParty().origin() + "/#enrol=" + token);
        return 0;
    }
}
