// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists a user's passkeys. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        header = "List the passkeys of a user, oldest first: id, name, when made, when last used.",
        description = {"", "Ends with 1 if there is no such user. A user without a passkey is not an error."})
final class CredentialsList extends OnStore {
    @Parameters(paramLabel = "USER", description = "the user's id")
    private String user = "";

    CredentialsList(Map<String, String> environment) {
        super(environment);
    }

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
                && !storage.enrolments().isPending(user)) {
            err().println("Error: there is no user " + user + ": check the spelling, or create the user with enroll");
            return Cli.FAILED;
        }
        out().println(user + (unreadable ? " has no readable passkey." : " has no passkey."));
        return 0;
    }
}
