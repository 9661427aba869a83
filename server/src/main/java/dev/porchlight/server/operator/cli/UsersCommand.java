// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.people.UserSearch;
import dev.porchlight.server.routes.Page;
import dev.porchlight.server.routes.UserAdminRoutes;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.web.PasskeyNames;
import dev.porchlight.server.wiring.StorageModule;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Users and their access. */
@Command(name = "users", header = "List, show, change, lock, unlock, sign out or erase users.")
final class UsersCommand extends CommandGroup {
    private static final int MAX_LIMIT = 10_000;
    private static final int AUDIT_ROWS = 20;

    @Command(
            name = "list",
            header = "List users.",
            description = {
                "",
                "With QUERY, those whose id, name, family name or email begins with it, or else whose id contains it.",
                "--after continues a list."
            })
    void list(
            @Parameters(arity = "0..1", paramLabel = "QUERY", description = "the beginning of an id, name or email")
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
                    int limit,
            @Mixin Format format)
            throws Exception {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw misuse("--limit must be 1 to " + MAX_LIMIT);
        }
        List<UserSearch.Found> found = UserSearch.page(storage().sql(), query, after, limit + 1);
        Page<UserSearch.Found> page = Page.of(found, limit, UserSearch.Found::userId);
        format.print(Listing.of(json -> page.write(json, "users", (member, user) -> user.write(member)))
                .table(
                        "",
                        "users",
                        "There are no users" + (query == null ? "." : " that match " + query + '.'),
                        "userId",
                        "name",
                        "email",
                        "locked",
                        "passkeyCount=passkeys",
                        "lastUsedAt=last sign-in"));
        if (page.next() != null && !format.isJson()) {
            err().println("There are more users. Continue with --after \"" + page.next() + '"');
        }
    }

    @Command(
            name = "show",
            header = "Show a user with their groups, passkeys, sessions and latest audit rows.",
            description = {
                "",
                "To change the groups, use `porchlight groups add` and `remove`.",
                "Exits with 1 if the user does not exist."
            })
    void show(@Parameters(paramLabel = "USER", description = "the user id") String user, @Mixin Format format)
            throws Exception {
        UserIds.requireExisting(user);
        StorageModule storage = storage();
        UserDirectory.Entry found = UserDirectory.find(storage.sql(), user);
        if (found == null) {
            throw unknown(user);
        }
        List<CredentialRecord> passkeys = credentials().list(user);
        Authenticators authenticators = authenticators();
        List<AuditEntry> rows = new AuditStore(storage.sql()).entries(AuditEntry.Query.ofUser(user), AUDIT_ROWS);
        Listing shown = Listing.of(json -> {
            UserAdminRoutes.describe(
                    json, found, passkeys, storage.sessions(), storage.enrollments(), authenticators, storage.sql());
            json.objects("events", rows, (member, row) -> row.write(member));
        });
        PasskeyNames names = new PasskeyNames();
        names.addTitles(shown.rows("passkeys"));
        shown.rows("sessions")
                .forEach(session -> session.put("browser", names.browserOf(String.valueOf(session.get("userAgent")))));
        format.print(shown.fields(
                        "userId",
                        "displayName",
                        "name",
                        "givenName=given name",
                        "familyName=family name",
                        "email",
                        "emailVerified=email verified",
                        "locale",
                        "picture",
                        "claims",
                        "role",
                        "locked",
                        "groups|none",
                        "lastUsedAt=last sign-in|never",
                        "enrollmentPending=enrollment link pending",
                        "recoveryCodes=recovery codes")
                .table("Passkeys", "passkeys", "None.", PasskeysCommand.COLUMNS)
                .table("Sessions", "sessions", "None.", "browser", "authTime=signed in", "expiresAt")
                .table("Latest audit rows", "events", "None.", AuditCommand.COLUMNS));
    }

    @Command(
            name = "set",
            header = "Change the profile of a user: names, email, locale, picture and claims.",
            description = {
                "",
                "A member without its option stays as it is. An empty text removes it.",
                "Exits with 1 if the user does not exist."
            })
    void set(@Parameters(paramLabel = "USER", description = "the user id") String user, @Mixin ProfileOptions options)
            throws Exception {
        UserIds.requireExisting(user);
        ProfileChange change = options.change();
        if (change.isEmpty()) {
            throw misuse("nothing to change. See: porchlight users set --help");
        }
        List<ProfileMember> changed = administer(directory -> apply(directory.profiles(), user, change))
                .orElseThrow(() -> unknown(user));
        out().println(user
                + (changed.isEmpty()
                        ? " is unchanged."
                        : ": changed "
                                + changed.stream().map(ProfileMember::code).collect(Collectors.joining(", ")) + '.'));
    }

    private static Optional<List<ProfileMember>> apply(Profiles profiles, String user, ProfileChange change) {
        try {
            return profiles.change(user, change, Operator.commandLine());
        } catch (MalformedException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
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
            name = "remove-codes",
            header = "Remove the recovery codes of a user.",
            description = {"", "Also ends a recovery that waits. Exits with 1 if the user does not exist."})
    void removeCodes(@Parameters(paramLabel = "USER", description = "the user id") String user) throws Exception {
        change(user, UserAdministration::removeRecoveryCodes, " has no recovery codes now.", " had no recovery codes.");
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
        Result apply(UserAdministration users, String userId, Actor by);
    }

    private void change(String user, UserChange change, String done, String unchanged) throws Exception {
        UserIds.requireExisting(user);
        Result result = administer(directory -> change.apply(directory.users(), user, Operator.commandLine()));
        if (result == Result.NOT_FOUND) {
            throw unknown(user);
        }
        out().println(user + (result == Result.DONE ? done : unchanged));
    }

    private static CommandException unknown(String user) {
        return new CommandException("the user " + user + " does not exist. Check the spelling.");
    }
}
