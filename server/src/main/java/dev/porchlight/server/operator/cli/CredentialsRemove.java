// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes a user's passkey. */
@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        header = "Remove a passkey of a user and end the sessions it opened.",
        description = {"", "The last one is kept unless --force is given: without it the user cannot get in."})
final class CredentialsRemove extends OnStore {
    @Parameters(index = "0", paramLabel = "USER", description = "the user's id")
    private String user = "";

    @Parameters(index = "1", paramLabel = "ID", description = "the passkey's id, as listed")
    private String id = "";

    @Option(names = "--force", description = "remove it even if it is the last one")
    private boolean force;

    CredentialsRemove(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, StorageModule storage) throws Exception {
        UserIds.requireExisting(user);
        Removal removal =
                write(storage, units -> new Removals(units, storage.sessions()).remove(user, id, force, COMMAND_LINE));
        return switch (removal) {
            case REMOVED -> {
                out().println("removed");
                yield 0;
            }
            case NOT_FOUND -> refuse(user + " has no such passkey");
            case LAST -> refuse("this is the last passkey of " + user + ": --force removes it all the same");
        };
    }

    private int refuse(String why) {
        err().println(why);
        return Cli.FAILED;
    }
}
