// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.history.FailedCeremonies;
import dev.porchlight.server.mail.Notice;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.RemovedPasskeys;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import dev.porchlight.server.storage.UserDirectory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ends the access of users: locks, signs out and erases them, and removes their passkeys. Each change is one transaction with
 * its audit row, effective on all instances at once. Thread-safe.
 */
public final class UserAdministration {
    private static final AuditAction ERASED = AuditAction.USER_ERASED;

    private final Units units;
    private final Sessions sessions;
    private final Enrollments enrollments;
    private final ErasedUsers erased;
    private final RemovedPasskeys removed;
    private final Erasure messages;
    private final Notices notices;
    private final Consumer<String> accessEnded;
    private final InstantSource clock;

    /** Notifies {@code accessEnded} of users whose sessions and tokens have ended. */
    public UserAdministration(
            Units units,
            Sessions sessions,
            Enrollments enrollments,
            ErasedUsers erased,
            RemovedPasskeys removed,
            Erasure messages,
            Notices notices,
            Consumer<String> accessEnded,
            InstantSource clock) {
        this.units = units;
        this.sessions = sessions;
        this.enrollments = enrollments;
        this.erased = erased;
        this.removed = removed;
        this.messages = messages;
        this.notices = notices;
        this.accessEnded = accessEnded;
        this.clock = clock;
    }

    /** Removes the messages to a user, and adds those about the erasure, within its transaction. */
    @FunctionalInterface
    public interface Erasure {
        void run(Connection connection, String userId, Actor by) throws SQLException;
    }

    /** The result of a change. */
    public enum Result {
        DONE,
        /** The user was in that state already. */
        UNCHANGED,
        NOT_FOUND
    }

    /** Refuses the user's sign-ins, sessions, tokens and enrollment tokens from now on. */
    public Result lock(String userId, Actor by) {
        return change("lock a user", AuditAction.USER_LOCKED, userId, by, connection -> {
            if (UserAccess.read(connection, userId).locked()) {
                return Result.UNCHANGED;
            }
            UserAccess.lock(connection, userId, clock.millis());
            return endSessions(connection, userId, AuditAction.USER_LOCKED, by.label());
        });
    }

    /**
     * Allows the user to sign in again. Sessions, tokens and enrollment tokens from before the lock stay invalid. Enrollment
     * tokens that operators issued during the lock become valid.
     */
    public Result unlock(String userId, Actor by) {
        return change("unlock a user", AuditAction.USER_UNLOCKED, userId, by, connection -> {
            if (!UserAccess.read(connection, userId).locked()) {
                return Result.UNCHANGED;
            }
            UserAccess.unlock(connection, userId);
            enrollments.end(
                    connection, userId, link -> link.issuedBy().isEmpty(), AuditAction.USER_UNLOCKED, by.label());
            return endSignIns(connection, userId);
        });
    }

    /** Ends all sessions, tokens and enrollment tokens of the user, for an operator. */
    public Result signOut(String userId, Actor by) {
        return change("sign out a user", AuditAction.USER_SIGNED_OUT, userId, by, connection -> {
            UserAccess.end(connection, userId);
            return endSessions(connection, userId, AuditAction.USER_SIGNED_OUT, by.label());
        });
    }

    /** Ends all sessions, tokens and enrollment tokens at the user's own request. */
    public void signOutEverywhere(Caller caller) {
        String userId = caller.userId();
        var unused = units.commit(
                "sign out everywhere",
                caller,
                Target.NONE,
                connection -> {
                    UserAccess.end(connection, userId);
                    return endSessions(connection, userId, AuditAction.LOGOUT_EVERYWHERE, "");
                },
                done -> AuditEvent.of(AuditAction.LOGOUT_EVERYWHERE, userId));
        accessEnded.accept(userId);
    }

    /** Ends one of the user's sessions at their own request; false if they have no session with this handle. */
    public boolean endSession(Caller caller, String handle) {
        String userId = caller.userId();
        if (!sessions.has(userId, handle)) {
            return false;
        }
        Optional<Runnable> ended = units.commit(
                "end a session",
                caller,
                Target.NONE,
                connection -> sessions.end(connection, handle),
                done -> done.isPresent() ? AuditEvent.of(AuditAction.SESSION_ENDED, userId) : null);
        ended.ifPresent(Runnable::run);
        return ended.isPresent();
    }

    private Result endSessions(Connection connection, String userId, AuditAction why, String operator)
            throws SQLException {
        enrollments.endAll(connection, userId, why, operator);
        return endSignIns(connection, userId);
    }

    private Result endSignIns(Connection connection, String userId) throws SQLException {
        RecoveryCodes.restart(connection, userId);
        sessions.endAll(connection, userId);
        return Result.DONE;
    }

    /**
     * Erases a user: deletes their passkeys, sessions, enrollments and rows, one of which maps the pseudonym
     * in audit rows to the user id. A keyed hash keeps the name taken. A repeated call completes an erasure that failed halfway.
     */
    public Result erase(String userId, Actor by) {
        return change("erase a user", ERASED, userId, by, connection -> {
            for (String credentialId : SqlUsers.passkeys(connection, userId)) {
                end(connection, credentialId);
            }
            UserAccess access = UserAccess.read(connection, userId);
            UserDirectory.delete(connection, userId);
            Profiles.remove(connection, userId);
            OperatorRoles.remove(connection, userId);
            RecoveryCodes.remove(connection, userId);
            FailedCeremonies.forget(connection, erased.hash(userId));
            erased.add(connection, userId, access, clock.millis());
            enrollments.eraseAll(connection, userId);
            messages.run(connection, userId, by);
            sessions.endAll(connection, userId); // after the passkeys, whose rows concurrent logins lock
            return Result.DONE;
        });
    }

    /** Removes the recovery codes of a user, and ends the enrollment tokens that they yielded. */
    public Result removeRecoveryCodes(String userId, Actor by) {
        AuditAction action = AuditAction.RECOVERY_CODES_REMOVED;
        return change(
                "remove recovery codes",
                action,
                userId,
                by,
                connection -> Recovery.end(connection, enrollments, userId, action, by.label())
                        ? Result.DONE
                        : Result.UNCHANGED);
    }

    /** Deletes what the service keeps about a passkey that is removed, and keeps it from being imported again. */
    private void end(Connection connection, String credentialId) throws SQLException {
        PasskeySource.remove(connection, credentialId);
        removed.add(connection, credentialId, clock.millis());
    }

    /** Removes a passkey for the user or an operator, who may allow to remove the last one. */
    public Removal removePasskey(String userId, String credentialId, boolean allowLast, Actor by) {
        if (!PasskeyService.isCredentialId(credentialId)) {
            return Removal.NOT_FOUND;
        }
        return removed(
                userId,
                units.commit(
                        "remove a passkey",
                        by,
                        Target.user(userId),
                        connection -> remove(connection, userId, credentialId, allowLast, by.label()),
                        done -> done == Removal.REMOVED ? AuditEvent.of(AuditAction.PASSKEY_REMOVED, userId) : null));
    }

    /** The user is locked by the check of the operator or user. */
    private Removal remove(
            Connection connection, String userId, String credentialId, boolean allowLast, String operator)
            throws SQLException {
        Long lastUse = SqlUsers.lastUse(connection, userId);
        Removal result = SqlCredentialStore.remove(connection, userId, credentialId, allowLast);
        if (result == Removal.REMOVED) {
            if (lastUse != null) {
                UserAccess.keepLastSignIn(connection, userId, lastUse);
            }
            end(connection, credentialId);
            sessions.endOpenedWith(connection, userId, credentialId);
            notices.add(connection, Notice.PASSKEY_REMOVED, userId);
            enrollments.endIssuedWith(connection, userId, credentialId, operator);
        }
        return result;
    }

    /** Notifies also if the passkey is gone already, in case the first request failed before this. */
    private Removal removed(String userId, Removal result) {
        if (result != Removal.LAST) {
            accessEnded.accept(userId);
        }
        return result;
    }

    private Result change(String what, AuditAction action, String userId, Actor by, Sql.Work<Result> change) {
        // The check of the operator locks the target: it waits for concurrent requests that change passkeys, and for an
        // erasure; later ones find that access has ended.
        Result result = units.commit(
                what,
                by,
                Target.user(userId),
                connection -> {
                    if (!TakenNames.isUser(connection, userId)) {
                        boolean repeated = action == ERASED && erased.contains(connection, userId);
                        return repeated ? Result.UNCHANGED : Result.NOT_FOUND;
                    }
                    return change.with(connection);
                },
                done -> done == Result.DONE ? AuditEvent.of(action, userId) : null);
        if (result != Result.NOT_FOUND) {
            accessEnded.accept(userId);
        }
        return result;
    }
}
