// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.openid.client.ClientAdministration;
import dev.porchlight.server.openid.client.ClientAdministration.JoinResult;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.wiring.StorageModule;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The groups of users, which applications can be limited to. */
@Command(
        name = "groups",
        header = "Put users into groups, which applications receive and can be limited to.",
        subcommands = {GroupsCommand.ListGroups.class, GroupsCommand.Add.class, GroupsCommand.Remove.class})
final class GroupsCommand extends CommandGroup {

    /** Lists groups, or the members of one. */
    @Command(name = "list", header = "List the groups, or the members of one.")
    static final class ListGroups extends StorageCommand {
        @Parameters(paramLabel = "GROUP", arity = "0..1", description = "list the members of this group")
        private @Nullable String group;

        @Override
        int run(Config config, StorageModule storage) {
            Groups groups = new Groups(storage.sql());
            List<String> lines = group == null
                    ? groups.all().stream()
                            .map(size -> size.group() + "  " + size.members()
                                    + (size.members() == 1 ? " member" : " members"))
                            .toList()
                    : groups.members(group);
            lines.forEach(line -> out().println(line));
            if (lines.isEmpty()) {
                out().println(group == null ? "There are no groups." : "The group " + group + " has no members.");
            }
            return 0;
        }
    }

    /** A change of one membership. */
    private abstract static class Membership extends StorageCommand {
        @Parameters(index = "0", paramLabel = "GROUP", description = "the name of the group")
        private String group = "";

        @Parameters(index = "1", paramLabel = "USER", description = "the user id")
        private String user = "";

        @Override
        final int run(Config config, StorageModule storage) {
            UserIds.require(user);
            if (!Groups.NAME.matcher(group).matches()) {
                err().println("Error: a group's name has 1 to 64 letters, digits and the characters . _ : @ -");
                return Cli.FAILED;
            }
            return write(storage, units -> {
                var clients = new Clients(storage.sql(), Clock.systemUTC(), new SecureRandom());
                var administration =
                        new ClientAdministration(units, clients, Operator.commandLine(), Clock.systemUTC());
                return change(administration, group, user);
            });
        }

        /** Makes the change, prints the result and returns the exit status. */
        abstract int change(ClientAdministration administration, String group, String user);
    }

    /** Adds a user to a group. */
    @Command(name = "add", header = "Add a user to a group.")
    static final class Add extends Membership {
        @Override
        int change(ClientAdministration administration, String group, String user) {
            JoinResult joined = administration.addToGroup(group, user, COMMAND_LINE);
            if (joined == JoinResult.UNKNOWN_USER) {
                err().println("Error: there is no user " + user
                        + ". To add a new user, create an enrollment link first: ./porchlight enroll USER");
                return Cli.FAILED;
            }
            out().println(user + (joined == JoinResult.ADDED ? " is now a member of " : " was already a member of ")
                    + group + ".");
            return 0;
        }
    }

    /** Removes a user from a group. */
    @Command(name = "remove", header = "Remove a user from a group.")
    static final class Remove extends Membership {
        @Override
        int change(ClientAdministration administration, String group, String user) {
            boolean changed = administration.removeFromGroup(group, user, COMMAND_LINE);
            out().println(user + (changed ? " is no longer a member of " : " is not a member of ") + group + ".");
            return 0;
        }
    }
}
