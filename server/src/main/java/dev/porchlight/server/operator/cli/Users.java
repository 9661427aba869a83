// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.wiring.StorageModule;
import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The access of users. */
@Command(
        name = "users",
        header = "Lock, unlock or sign out a user.",
        subcommands = {Users.Lock.class, Users.Unlock.class, Users.SignOut.class})
final class Users extends Group {

    /** A change of one user's access. */
    @FunctionalInterface
    private interface UserChange {
        Result apply(UserAdministration users, String userId, String correlationId);
    }

    /** A command that changes the access of one user. */
    private abstract static class Change extends OnStore {
        @Parameters(paramLabel = "USER", description = "the user's id")
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
                var users = new UserAdministration(units, storage.sessions(), storage.enrollments(), Clock.systemUTC());
                return change.apply(users, user, COMMAND_LINE);
            });
            if (result == Result.NOT_FOUND) {
                err().println("Error: there is no user " + user + ": check the spelling");
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
                "Ends with 1 if there is no such user. A locked user is not an error."
            })
    static final class Lock extends Change {
        Lock() {
            super(UserAdministration::lock, " is locked.", " was locked already.");
        }
    }

    /** Unlocks a user. */
    @Command(
            name = "unlock",
            header = "Unlock a user, who can then sign in again.",
            description = {"", "Sessions and tokens from before stay invalid. Ends with 1 if there is no such user."})
    static final class Unlock extends Change {
        Unlock() {
            super(UserAdministration::unlock, " is unlocked.", " was not locked.");
        }
    }

    /** Signs a user out everywhere. */
    @Command(
            name = "sign-out",
            header = "End all sessions and tokens of a user, who can then sign in again.",
            description = {"", "Takes effect at once on all instances. Ends with 1 if there is no such user."})
    static final class SignOut extends Change {
        SignOut() {
            super(UserAdministration::signOut, " is signed out everywhere.", "");
        }
    }
}
