// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The keys that tokens are signed with. */
@Command(
        name = "keys",
        header = "List or rotate the keys that tokens are signed with.",
        subcommands = {KeysCommand.ListKeys.class, KeysCommand.Rotate.class})
final class KeysCommand extends CommandGroup {
    /** Lists the signing keys. */
    @Command(name = "list", header = "List the ids of the published keys, the signing key first.")
    static final class ListKeys extends StorageCommand {
        @Override
        int run(Config config, StorageModule storage) {
            List<String> names = storage.keyRing().names();
            for (int i = 0; i < names.size(); i++) {
                out().println(names.get(i) + (i == 0 ? "  signs" : "  published until its tokens have expired"));
            }
            if (names.isEmpty()) {
                out().println("There is no key yet. The service creates the first one when it starts.");
            }
            return 0;
        }
    }

    /** Creates a new signing key. */
    @Command(
            name = "rotate",
            header = "Create a new key and sign with it from now on.",
            description = {
                "",
                "Running instances use it within five seconds. The old key stays published until the last"
                        + " token it signed has expired, so no user is signed out.",
                "",
                "With --now all other keys are deleted. This service refuses the tokens they signed at once;"
                        + " other services refuse them when they fetch the key set again. Sessions stay valid."
            })
    static final class Rotate extends StorageCommand {
        @Option(names = "--now", description = "revoke all tokens that were issued so far")
        private boolean now;

        @Override
        int run(Config config, StorageModule storage) throws Exception {
            out().println(storage.keyRing().rotate(now));
            audit(storage, now ? AuditAction.KEY_REVOCATION : AuditAction.KEY_ROTATION, "");
            return 0;
        }
    }
}
