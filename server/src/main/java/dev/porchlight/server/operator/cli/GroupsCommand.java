// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.openid.client.ClientAdministration.JoinResult;
import dev.porchlight.server.openid.client.Groups;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The groups of users, which applications can be limited to. */
@Command(name = "groups", header = "Put users into groups, which applications receive and can be limited to.")
final class GroupsCommand extends CommandGroup {
    @Command(name = "list", header = "List the groups, or the members of one.")
    void list(
            @Parameters(paramLabel = "GROUP", arity = "0..1", description = "list the members of this group") @Nullable
                    String group)
            throws Exception {
        Groups groups = new Groups(storage().sql());
        if (group == null) {
            print(
                    groups.all(),
                    size -> size.group() + "  " + counted(size.members(), "member"),
                    "There are no groups.");
        } else {
            print(groups.members(group), member -> member, "The group " + group + " has no members.");
        }
    }

    @Command(name = "add", header = "Add a user to a group.")
    void add(
            @Parameters(index = "0", paramLabel = "GROUP", description = "the name of the group") String group,
            @Parameters(index = "1", paramLabel = "USER", description = "the user id") String user)
            throws Exception {
        validate(group, user);
        JoinResult joined = ClientsCommand.change(this, it -> it.addToGroup(group, user, COMMAND_LINE));
        if (joined == JoinResult.UNKNOWN_USER) {
            throw new CommandException("there is no user " + user
                    + ". To add a new user, create an enrollment link first: ./porchlight enroll USER");
        }
        out().println(user + (joined == JoinResult.ADDED ? " is now a member of " : " was already a member of ") + group
                + ".");
    }

    @Command(name = "remove", header = "Remove a user from a group.")
    void remove(
            @Parameters(index = "0", paramLabel = "GROUP", description = "the name of the group") String group,
            @Parameters(index = "1", paramLabel = "USER", description = "the user id") String user)
            throws Exception {
        validate(group, user);
        boolean changed = ClientsCommand.change(this, it -> it.removeFromGroup(group, user, COMMAND_LINE));
        out().println(user + (changed ? " is no longer a member of " : " is not a member of ") + group + ".");
    }

    private static void validate(String group, String user) throws CommandException {
        UserIds.require(user);
        if (!Groups.NAME.matcher(group).matches()) {
            throw new CommandException("a group's name has 1 to 64 letters, digits and the characters . _ : @ -");
        }
    }
}
