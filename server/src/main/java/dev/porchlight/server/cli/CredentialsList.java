// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.config.Config;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists a user's passkeys. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        header = "List the passkeys of a user, oldest first: id, name, when made, when last used.")
final class CredentialsList extends OnStore {
    @Parameters(paramLabel = "USER", description = "the user's id")
    private String user = "";

    CredentialsList(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, OpenStore store) {
        UserIds.require(user);
        List<CredentialRecord> passkeys = store.credentials(err()).list(user);
        for (CredentialRecord passkey : passkeys) {
            out().println(String.join(
                    "  ",
                    passkey.credentialId(),
                    passkey.name() == null ? "(no name)" : passkey.name(),
                    "made " + passkey.createdAt(),
                    passkey.lastUsedAt() == null ? "never used" : "used " + passkey.lastUsedAt()));
        }
        if (passkeys.isEmpty()) {
            out().println(user + " has no passkey.");
        }
        return 0;
    }
}
