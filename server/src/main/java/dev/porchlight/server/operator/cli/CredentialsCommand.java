// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.routes.UserAdminRoutes;
import dev.porchlight.server.web.PasskeyNames;
import dev.porchlight.server.wiring.StorageModule;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The passkeys of a user. */
@Command(name = "credentials", header = "List or remove the passkeys of a user.")
final class CredentialsCommand extends CommandGroup {
    static final String[] COLUMNS = {"title=name", "createdAt", "lastUsedAt", "credentialId=id"};

    @Command(
            name = "list",
            header = "List the passkeys of a user, oldest first.",
            description = {"", "Exits with 1 if the user does not exist. A user without a passkey is not an error."})
    void list(@Parameters(paramLabel = "USER", description = "the user id") String user, @Mixin Format format)
            throws Exception {
        UserIds.requireExisting(user);
        CredentialStore credentials = credentials();
        Sql sql = storage().sql();
        List<CredentialRecord> passkeys = credentials.list(user);
        boolean unreadable = passkeys.isEmpty() && credentials.count(user) > 0;
        if (passkeys.isEmpty()
                && !unreadable
                && credentials.user(user) == null
                && !storage().enrollments().isPending(user)) {
            throw new CommandException(
                    "the user " + user + " does not exist. Check the spelling, or create the user with enroll.");
        }
        Listing listing = Listing.of(json -> UserAdminRoutes.describe(json, passkeys, Authenticators.UNKNOWN, sql));
        new PasskeyNames().addTitles(listing.rows("credentials"));
        format.print(listing.table(
                "", "credentials", user + (unreadable ? " has no readable passkey." : " has no passkey."), COLUMNS));
    }

    @Command(
            name = "remove",
            header = "Remove a passkey of a user and end the sessions it opened.",
            description = {
                "",
                "Refuses to remove the last one without --force: the user could not sign in.",
                "Before an id that begins with a hyphen, write --."
            })
    void remove(
            @Parameters(index = "0", paramLabel = "USER", description = "the user id") String user,
            @Parameters(index = "1", paramLabel = "ID", description = "the passkey id, as listed") String id,
            @Option(names = "--force", description = "remove it even if it is the last one") boolean force)
            throws Exception {
        UserIds.requireExisting(user);
        StorageModule storage = storage();
        switch (write(units -> storage.users(units, unused -> {})
                .removePasskey(user, id, force, Operator.commandLine(), COMMAND_LINE))) {
            case REMOVED -> out().println("The passkey is removed, and the sessions it opened have ended.");
            case NOT_FOUND ->
                throw new CommandException(
                        user + " has no such passkey. List them with: porchlight credentials list " + user);
            case LAST ->
                throw new CommandException("this is the last passkey of " + user + ". Use --force to remove it anyway");
        }
    }
}
