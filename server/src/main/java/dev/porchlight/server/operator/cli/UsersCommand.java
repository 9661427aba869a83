// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.DisplayText;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.wiring.StorageModule;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Users and their access. */
@Command(name = "users", header = "List, show, lock, unlock, sign out or erase users.")
final class UsersCommand extends CommandGroup {
    private static final int MAX_LIMIT = 10_000;
    private static final int AUDIT_ROWS = 20;

    @Command(
            name = "list",
            header = "List users: id, number of passkeys, last sign-in, and whether they are locked.",
            description = {"", "Ordered by name. --after continues a list."})
    void list(
            @Parameters(arity = "0..1", paramLabel = "QUERY", description = "a part of the user id, in any case")
                    @Nullable
                    String query,
            @Option(names = "--after", paramLabel = "USER", description = "the last user of the previous list")
                    @Nullable
                    String after,
            @Option(
                            names = "--limit",
                            paramLabel = "COUNT",
                            defaultValue = "50",
                            description = "the maximum number of users, up to 10000; default: ${DEFAULT-VALUE}")
                    int limit)
            throws Exception {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw misuse("--limit must be 1 to " + MAX_LIMIT);
        }
        List<UserDirectory.Entry> found = UserDirectory.list(storage().sql(), query, after, limit + 1);
        found.stream().limit(limit).forEach(user -> out().println(line(user)));
        if (found.size() > limit) {
            err().println("There are more users. Continue with --after \""
                    + found.get(limit - 1).userId() + '"');
        }
    }

    private static String line(UserDirectory.Entry user) {
        return user.userId()
                + (user.displayName() == null ? "" : "  (" + user.displayName() + ')')
                + "  passkeys: " + user.passkeys()
                + (user.lastUsedAt() == null ? "" : "  last sign-in: " + Instant.ofEpochMilli(user.lastUsedAt()))
                + (user.locked() ? "  locked" : "");
    }

    @Command(
            name = "show",
            header = "Show a user with their passkeys, sessions and latest audit rows.",
            description = {"", "Exits with 1 if the user does not exist."})
    void show(@Parameters(paramLabel = "USER", description = "the user id") String user) throws Exception {
        UserIds.requireExisting(user);
        StorageModule storage = storage();
        UserDirectory.Entry found = UserDirectory.find(storage.sql(), user);
        if (found == null) {
            throw unknown(user);
        }
        out().println(line(found));
        credentials().list(user).forEach(passkey -> out().println("passkey  " + CredentialsCommand.line(passkey)));
        storage.sessions()
                .of(user)
                .forEach(session -> out().println("session  since " + Instant.ofEpochMilli(session.authTime())
                        + "  until " + Instant.ofEpochMilli(session.expiresAt()) + "  "
                        + DisplayText.of(session.userAgent())));
        if (storage.enrollments().isPending(user)) {
            out().println("enrollment link pending");
        }
        new AuditStore(storage.sql())
                .entries(user, null, AUDIT_ROWS)
                .forEach(entry -> out().println("audit    " + Instant.ofEpochMilli(entry.at()) + "  "
                        + entry.event().action() + "  " + entry.event().outcome() + "  " + entry.reason()));
    }

    @Command(
            name = "lock",
            header = "Lock a user: refuse sign-ins and end all sessions and tokens.",
            description = {
                "",
                "Takes effect at once on all instances. The user sees the same message as for an unknown passkey.",
                "Exits with 1 if the user does not exist. If the user is locked already, nothing changes."
            })
    void lock(@Parameters(paramLabel = "USER", description = "the user id") String user) throws Exception {
        change(user, UserAdministration::lock, " is locked.", " was locked already.");
    }

    @Command(
            name = "unlock",
            header = "Unlock a user, so that they can sign in again.",
            description = {"", "Sessions and tokens from before stay invalid. Exits with 1 if the user does not exist."
            })
    void unlock(@Parameters(paramLabel = "USER", description = "the user id") String user) throws Exception {
        change(user, UserAdministration::unlock, " is unlocked.", " was not locked.");
    }

    @Command(
            name = "sign-out",
            header = "End all sessions and tokens of a user. The user can sign in again.",
            description = {"", "Takes effect at once on all instances. Exits with 1 if the user does not exist."})
    void signOut(@Parameters(paramLabel = "USER", description = "the user id") String user) throws Exception {
        change(user, UserAdministration::signOut, " is signed out everywhere.", "");
    }

    @Command(
            name = "delete",
            header = "Erase a user and their personal data. The name stays taken.",
            description = {
                "",
                "Deletes the user's passkeys, sessions and enrollment links.",
                "Replaces the user id in the audit log by a pseudonym.",
                "Cannot be undone. Backups and exports are not changed.",
                "Exits with 1 if the user does not exist."
            })
    void delete(
            @Parameters(paramLabel = "USER", description = "the user id") String user,
            @Option(names = "--yes", required = true, description = "confirm that the user is erased")
                    boolean confirmed)
            throws Exception {
        change(user, UserAdministration::erase, " is erased.", " was erased already.");
    }

    /** A change of one user's access. */
    @FunctionalInterface
    private interface UserChange {
        Result apply(UserAdministration users, String userId, String operator, String correlationId);
    }

    private void change(String user, UserChange change, String done, String unchanged) throws Exception {
        UserIds.requireExisting(user);
        StorageModule storage = storage();
        Result result = write(
                units -> change.apply(storage.users(units, unused -> {}), user, Operator.commandLine(), COMMAND_LINE));
        if (result == Result.NOT_FOUND) {
            throw unknown(user);
        }
        out().println(user + (result == Result.DONE ? done : unchanged));
    }

    private static CommandException unknown(String user) {
        return new CommandException("the user " + user + " does not exist. Check the spelling.");
    }
}
