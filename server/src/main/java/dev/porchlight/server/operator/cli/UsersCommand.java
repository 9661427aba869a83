// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The access of users. */
@Command(
        name = "users",
        header = "List, show, lock, unlock, sign out or erase users.",
        subcommands = {
            UserListCommand.class,
            UserShowCommand.class,
            UsersCommand.Lock.class,
            UsersCommand.Unlock.class,
            UsersCommand.SignOut.class,
            UsersCommand.Delete.class
        })
final class UsersCommand extends CommandGroup {

    /** A change of one user's access. */
    @FunctionalInterface
    private interface UserChange {
        Result apply(UserAdministration users, String userId, String operator, String correlationId);
    }

    /** A command that changes the access of one user. */
    private abstract static class Change extends StorageCommand {
        @Parameters(paramLabel = "USER", description = "the user id")
        private String user = "";

        private final UserChange change;
        private final String done;
        private final String unchanged;

        Change(UserChange change, String done, String unchanged) {
            this.change = change;
            this.done = done;
            this.unchanged = unchanged;
        }

        @Override
        int run(Config config, StorageModule storage) {
            UserIds.requireExisting(user);
            Result result = write(storage, units -> {
                UserAdministration users = storage.users(units, unused -> {});
                return change.apply(users, user, Operator.commandLine(), COMMAND_LINE);
            });
            if (result == Result.NOT_FOUND) {
                err().println("Error: the user " + user + " does not exist. Check the spelling.");
                return Cli.FAILED;
            }
            out().println(user + (result == Result.DONE ? done : unchanged));
            return 0;
        }
    }

    /** Locks a user. */
    @Command(
            name = "lock",
            header = "Lock a user: refuse sign-ins and end all sessions and tokens.",
            description = {
                "",
                "Takes effect at once on all instances. The user sees the same message as for an unknown passkey.",
                "Exits with 1 if the user does not exist. If the user is locked already, nothing changes."
            })
    static final class Lock extends Change {
        Lock() {
            super(UserAdministration::lock, " is locked.", " was locked already.");
        }
    }

    /** Unlocks a user. */
    @Command(
            name = "unlock",
            header = "Unlock a user, so that they can sign in again.",
            description = {"", "Sessions and tokens from before stay invalid. Exits with 1 if the user does not exist."
            })
    static final class Unlock extends Change {
        Unlock() {
            super(UserAdministration::unlock, " is unlocked.", " was not locked.");
        }
    }

    /** Signs a user out everywhere. */
    @Command(
            name = "sign-out",
            header = "End all sessions and tokens of a user. The user can sign in again.",
            description = {"", "Takes effect at once on all instances. Exits with 1 if the user does not exist."})
    static final class SignOut extends Change {
        SignOut() {
            super(UserAdministration::signOut, " is signed out everywhere.", "");
        }
    }

    /** Erases a user. */
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
    static final class Delete extends Change {
        @SuppressWarnings("UnusedVariable") // picocli requires the option
        @Option(names = "--yes", required = true, description = "confirm that the user is erased")
        private boolean confirmed;

        Delete() {
            super(UserAdministration::erase, " is erased.", " was erased already.");
        }
    }
}
