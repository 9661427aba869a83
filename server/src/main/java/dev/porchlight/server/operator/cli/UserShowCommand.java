// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.DisplayText;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.wiring.StorageModule;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one user. */
@Command(
        name = "show",
        header = "Show a user with their passkeys, sessions and latest audit rows.",
        description = {"", "Exits with 1 if the user does not exist."})
final class UserShowCommand extends StorageCommand {
    private static final int AUDIT_ROWS = 20;

    @Parameters(paramLabel = "USER", description = "the user id")
    private String user = "";

    @Override
    int run(Config config, StorageModule storage) {
        UserIds.requireExisting(user);
        UserDirectory.Entry found = UserDirectory.find(storage.sql(), user);
        if (found == null) {
            err().println("Error: the user " + user + " does not exist. Check the spelling.");
            return Cli.FAILED;
        }
        out().println(UserListCommand.line(found));
        for (CredentialRecord passkey : credentials(storage.sql()).list(user)) {
            out().println("passkey  " + CredentialsCommand.line(passkey));
        }
        for (Session session : storage.sessions().of(user)) {
            out().println("session  since " + Instant.ofEpochMilli(session.authTime()) + "  until "
                    + Instant.ofEpochMilli(session.expiresAt()) + "  " + DisplayText.of(session.userAgent()));
        }
        if (storage.enrollments().isPending(user)) {
            out().println("enrollment link pending");
        }
        for (AuditEntry entry : new AuditStore(storage.sql()).entries(user, null, AUDIT_ROWS)) {
            out().println("audit    " + Instant.ofEpochMilli(entry.at()) + "  "
                    + entry.event().action() + "  " + entry.event().outcome() + "  "
                    + entry.reason());
        }
        return 0;
    }
}
