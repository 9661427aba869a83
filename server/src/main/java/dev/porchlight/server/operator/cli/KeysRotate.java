// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates a new signing key. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        header = "Create a new key and sign with it from now on.",
        description = {
            "",
            "Running instances use it within five seconds. The old key stays published until the last",
            "token it signed has expired, so that no user is signed out.",
            "",
            "With --now all other keys are deleted. This service refuses the tokens they signed at once;",
            "other services refuse them when they fetch the key set again. Sessions stay valid."
        })
final class KeysRotate extends OnStore {
    @Option(names = "--now", description = "revoke all tokens that were issued so far")
    private boolean now;

    KeysRotate(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, StorageModule storage) throws Exception {
        out().println(now ? storage.keyRing().rotateNow() : storage.keyRing().rotate());
        audit(storage, now ? "key_revocation" : "key_rotation", "");
        return 0;
    }
}
