// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.GroupAdministration.JoinResult;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.storage.UserGroups;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The groups of users, which applications can be limited to. */
@Command(name = "groups", header = "Put users into groups, which applications receive and can be limited to.")
final class GroupsCommand extends CommandGroup {
    @Command(name = "list", header = "List the groups, or the members of one.")
    void list(
            @Parameters(paramLabel = "GROUP", arity = "0..1", description = "list the members of this group") @Nullable
                    String group,
            @Mixin Format format)
            throws Exception {
        Sql sql = storage().sql();
        if (group != null
                && UserGroups.all(sql).stream().noneMatch(one -> one.group().equals(group))) {
            throw unknown(group);
        }
        format.print(
                group == null
                        ? Listing.of(
                                "groups",
                                UserGroups.all(sql),
                                (size, json) -> json.text("group", size.group()).number("members", size.members()),
                                "There are no groups.",
                                "group",
                                "members")
                        : Listing.of(json -> json.text("group", group)
                                        .texts("members", UserGroups.members(sql, group))
                                        .optionalJson("claims", UserGroups.claims(sql, group)))
                                .fields("group", "members|none", "claims"));
    }

    @Command(
            name = "add",
            header = "Add a user to a group.",
            description = {"", "A new group is created with its first member."})
    void add(
            @Parameters(index = "0", paramLabel = "GROUP", description = "the name of the group") String group,
            @Parameters(index = "1", paramLabel = "USER", description = "the user id") String user)
            throws Exception {
        validate(group);
        UserIds.require(user);
        JoinResult joined = administer(directory -> directory.groups().add(group, user, Operator.commandLine()));
        if (joined == JoinResult.UNKNOWN_USER) {
            throw new CommandException("there is no user " + user
                    + ". To add a new user, create an enrollment link first: ./porchlight enroll USER");
        }
        out().println(user + (joined == JoinResult.ADDED ? " is now a member of " : " was already a member of ") + group
                + ".");
    }

    @Command(
            name = "set",
            header = "Change the claims that a group gives its members.",
            description = {"", "Creates the group if it does not exist. A user's own claim takes precedence."})
    void set(
            @Parameters(paramLabel = "GROUP", description = "the name of the group") String group,
            @Mixin ClaimOptions options)
            throws Exception {
        validate(group);
        if (options.isEmpty()) {
            throw misuse("nothing to change. See: porchlight groups set --help");
        }
        JsonObject claims = JsonObject.parse(options.json(), "claims");
        boolean changed = administer(directory -> {
            try {
                return directory.groups().changeClaims(group, claims, Operator.commandLine());
            } catch (MalformedException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
        out().println("The group " + group + (changed ? " is changed." : " is unchanged."));
    }

    @Command(
            name = "remove",
            header = "Remove a user from a group.",
            description = {"", "The group stays, also without members. Remove it with `groups delete`."})
    void remove(
            @Parameters(index = "0", paramLabel = "GROUP", description = "the name of the group") String group,
            @Parameters(index = "1", paramLabel = "USER", description = "the user id") String user)
            throws Exception {
        validate(group);
        UserIds.require(user);
        boolean changed = administer(directory -> directory.groups().remove(group, user, Operator.commandLine()));
        out().println(user + (changed ? " is no longer a member of " : " is not a member of ") + group + ".");
    }

    @Command(
            name = "delete",
            header = "Delete a group without members.",
            description = {"", "Exits with 1 if the group has members or does not exist."})
    void delete(@Parameters(paramLabel = "GROUP", description = "the name of the group") String group)
            throws Exception {
        validate(group);
        if (!administer(directory -> directory.groups().remove(group, Operator.commandLine()))) {
            int members = UserGroups.members(storage().sql(), group).size();
            throw members == 0
                    ? unknown(group)
                    : new CommandException(
                            "the group " + group + " has " + counted(members, "member") + ". Remove them first.");
        }
        out().println("The group " + group + " is deleted.");
    }

    private static CommandException unknown(String group) {
        return new CommandException("there is no group " + group + ". List them with: porchlight groups list");
    }

    private static void validate(String group) throws CommandException {
        if (!UserGroups.NAME.matcher(group).matches()) {
            throw new CommandException("a group's name has 1 to 64 letters, digits and the characters . _ : @ -");
        }
    }
}
