// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorAdministration.Result;
import dev.porchlight.server.auth.OperatorRoles;
import dev.porchlight.server.auth.Role;
import dev.porchlight.server.auth.UserIds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The users who operate the service. */
@Command(name = "operators", header = "Give users a role in the console and the admin API.")
final class OperatorsCommand extends CommandGroup {
    private static final String FORCE = "also the last owner, while there is no ADMIN_TOKEN";

    @Command(name = "list", header = "List the users with a role.")
    void list(@Mixin Format format) throws Exception {
        format.print(Listing.of(
                "operators",
                new OperatorRoles(storage().sql()).all(),
                OperatorRoles.Entry::write,
                "No user has a role. Add the first owner with: porchlight operators add USER --role owner",
                "userId",
                "role",
                "createdAt=since"));
    }

    @Command(
            name = "add",
            header = "Give a user a role, or another one.",
            description = {
                "",
                "owner: everything. operator: all but operators, tokens and secrets. support: enroll, sign out and explain.",
                "auditor: read.",
                "The user signs in with a passkey and opens /console. Open enrollment links of the user end."
            })
    void add(
            @Parameters(paramLabel = "USER", description = "the user id") String user,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description = "owner, operator, support or auditor")
                    Role role,
            @Option(names = "--force", description = FORCE) boolean force)
            throws Exception {
        UserIds.require(user);
        Result result = administer(directory -> directory.operators().add(user, role, force, Operator.commandLine()));
        requireDone(result, user);
        out().println(user + (result == Result.DONE ? " now has the role " : " already had the role ") + role.code()
                + ".");
        if (credentials().count(user) == 0 && !storage().enrollments().isPending(user)) {
            out().println(user + " has no passkey and no valid link. Print one with: ./porchlight enroll " + user);
        }
    }

    @Command(
            name = "remove",
            header = "Take the role away from a user.",
            description = {"", "It ends at once. The user's account and the tokens that they issued stay valid."})
    void remove(
            @Parameters(paramLabel = "USER", description = "the user id") String user,
            @Option(names = "--force", description = FORCE) boolean force)
            throws Exception {
        UserIds.requireExisting(user);
        Result result = administer(directory -> directory.operators().remove(user, force, Operator.commandLine()));
        requireDone(result, user);
        out().println(user + (result == Result.DONE ? " has no role anymore." : " has no role."));
    }

    private static void requireDone(Result result, String user) throws CommandException {
        if (result == Result.UNKNOWN_USER) {
            throw new CommandException("there is no user " + user
                    + ". To add a new user, create an enrollment link first: ./porchlight enroll USER");
        }
        if (result == Result.LAST_OWNER) {
            throw new CommandException(
                    user + " is the last owner, and there is no ADMIN_TOKEN. To do it anyway, use --force.");
        }
    }
}
