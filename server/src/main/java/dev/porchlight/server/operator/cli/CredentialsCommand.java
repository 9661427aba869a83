// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.server.auth.Operator;
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
        subcommands = {CredentialsCommand.ListPasskeys.class, CredentialsCommand.Remove.class})
final class CredentialsCommand extends CommandGroup {
    static String line(CredentialRecord passkey) {
        return String.join(
                "  ",
                passkey.credentialId(),
                passkey.details().name() == null
                        ? "(no name)"
                        : passkey.details().name(),
                "created " + passkey.details().createdAt(),
                passkey.details().lastUsedAt() == null
                        ? "never used"
                        : "used " + passkey.details().lastUsedAt());
    }

    /** Lists a user's passkeys. */
    @Command(
            name = "list",
            header = "List the passkeys of a user, oldest first: id, name, creation, last use.",
            description = {"", "Exits with 1 if the user does not exist. A user without a passkey is not an error."})
    static final class ListPasskeys extends StorageCommand {
        @Parameters(paramLabel = "USER", description = "the user id")
        private String user = "";

        @Override
        int run(Config config, StorageModule storage) {
            UserIds.requireExisting(user);
            CredentialStore credentials = credentials(storage.sql());
            List<CredentialRecord> passkeys = credentials.list(user);
            for (CredentialRecord passkey : passkeys) {
                out().println(line(passkey));
            }
            if (!passkeys.isEmpty()) {
                return 0;
            }
            boolean unreadable = credentials.count(user) > 0;
            if (!unreadable
                    && credentials.user(user) == null
                    && !storage.enrollments().isPending(user)) {
                err().println("Error: the user " + user
                        + " does not exist. Check the spelling, or create the user with enroll.");
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
            description = {"", "Refuses to remove the last one without --force: the user could not sign in."})
    static final class Remove extends StorageCommand {
        @Parameters(index = "0", paramLabel = "USER", description = "the user id")
        private String user = "";

        @Parameters(index = "1", paramLabel = "ID", description = "the passkey id, as listed")
        private String id = "";

        @Option(names = "--force", description = "remove it even if it is the last one")
        private boolean force;

        @Override
        int run(Config config, StorageModule storage) throws Exception {
            UserIds.requireExisting(user);
            Removal removal = write(
                    storage,
                    units -> storage.users(units, unused -> {})
                            .removePasskey(user, id, force, Operator.commandLine(), COMMAND_LINE));
            return switch (removal) {
                case REMOVED -> {
                    out().println("removed");
                    yield 0;
                }
                case NOT_FOUND -> refuse(user + " has no such passkey");
                case LAST -> refuse("this is the last passkey of " + user + ". Use --force to remove it anyway");
            };
        }

        private int refuse(String why) {
            err().println("Error: " + why);
            return Cli.FAILED;
        }
    }
}
