// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The passkeys of a user. */
@Command(
        name = "credentials",
        header = "List or remove the passkeys of a user.",
        subcommands = {Credentials.ListPasskeys.class, Credentials.Remove.class})
final class Credentials extends Group {
    /** Lists a user's passkeys. */
    @Command(
            name = "list",
            header = "List the passkeys of a user, oldest first: id, name, when made, when last used.",
            description = {"", "Ends with 1 if there is no such user. A user without a passkey is not an error."})
    static final class ListPasskeys extends OnStore {
        @Parameters(paramLabel = "USER", description = "the user's id")
        private String user = "";

        @Override
        int run(Config config, StorageModule storage) {
            UserIds.requireExisting(user);
            CredentialStore credentials = credentials(storage.sql());
            List<CredentialRecord> passkeys = credentials.list(user);
            for (CredentialRecord passkey : passkeys) {
                out().println(String.join(
                        "  ",
                        passkey.credentialId(),
                        passkey.name() == null ? "(no name)" : passkey.name(),
                        "made " + passkey.createdAt(),
                        passkey.lastUsedAt() == null ? "never used" : "used " + passkey.lastUsedAt()));
            }
            if (!passkeys.isEmpty()) {
                return 0;
            }
            boolean unreadable = credentials.count(user) > 0;
            if (!unreadable
                    && credentials.user(user) == null
                    && !storage.enrollments().isPending(user)) {
                err().println("Error: there is no user " + user
                        + ": check the spelling, or create the user with enroll");
                return Cli.FAILED;
            }
            out().println(user + (unreadable ? " has no readable passkey." : " has no passkey."));
            return 0;
        }
    }

    /** Removes a user's passkey. */
    @Command(
            name = "remove",
            header = "Remove a passkey of a user and end the sessions it opened.",
            description = {"", "The last one is kept unless --force is given: without it the user cannot get in."})
    static final class Remove extends OnStore {
        @Parameters(index = "0", paramLabel = "USER", description = "the user's id")
        private String user = "";

        @Parameters(index = "1", paramLabel = "ID", description = "the passkey's id, as listed")
        private String id = "";

        @Option(names = "--force", description = "remove it even if it is the last one")
        private boolean force;

        @Override
        int run(Config config, StorageModule storage) throws Exception {
            UserIds.requireExisting(user);
            Removal removal = write(
                    storage, units -> new Removals(units, storage.sessions()).remove(user, id, force, COMMAND_LINE));
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
}
