// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import dev.porchlight.server.storage.UserDirectory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Locks, signs out and erases users. Each change is one transaction with its audit row, effective on all instances at
 * once. Thread-safe.
 */
public final class UserAdministration {
    private final Units units;
    private final Sessions sessions;
    private final Enrollments enrollments;
    private final ErasedUsers erased;
    private final Consumer<String> accessEnded;
    private final InstantSource clock;

    /**
     * Creates an administration.
     *
     * @param accessEnded is notified of users whose sessions and tokens have ended
     */
    public UserAdministration(
            Units units,
            Sessions sessions,
            Enrollments enrollments,
            ErasedUsers erased,
            Consumer<String> accessEnded,
            InstantSource clock) {
        this.units = units;
        this.sessions = sessions;
        this.enrollments = enrollments;
        this.erased = erased;
        this.accessEnded = accessEnded;
        this.clock = clock;
    }

    /** The result of a change. */
    public enum Result {
        DONE,
        /** The user was in that state already. */
        UNCHANGED,
        NOT_FOUND
    }

    /** Changes an existing user; false if there was nothing to change. */
    @FunctionalInterface
    private interface Change {
        boolean write(Connection connection, UserAccess before) throws SQLException;
    }

    /** Refuses the user's sign-ins, sessions, tokens and enrollment tokens from now on. */
    public Result lock(String userId, String operator, String correlationId) {
        return change("lock a user", userId, AuditAction.USER_LOCKED, operator, correlationId, (connection, before) -> {
            if (before.locked()) {
                return false;
            }
            UserAccess.lock(connection, userId, clock.millis());
            return true;
        });
    }

    /** Allows the user to sign in again. Sessions, tokens and enrollment tokens from before stay invalid. */
    public Result unlock(String userId, String operator, String correlationId) {
        return change(
                "unlock a user", userId, AuditAction.USER_UNLOCKED, operator, correlationId, (connection, before) -> {
                    if (!before.locked()) {
                        return false;
                    }
                    UserAccess.unlock(connection, userId);
                    return true;
                });
    }

    /** Ends all sessions, tokens and enrollment tokens of the user, for an operator. */
    public Result signOut(String userId, String operator, String correlationId) {
        return change(
                "sign out a user",
                userId,
                AuditAction.USER_SIGNED_OUT,
                operator,
                correlationId,
                (connection, before) -> {
                    UserAccess.end(connection, userId);
                    return true;
                });
    }

    /**
     * Ends all sessions, tokens and enrollment tokens at the user's own request.
     *
     * @return false if the access of the caller has ended already; nothing is written then
     */
    public boolean signOutEverywhere(Grant caller, String correlationId) {
        boolean done = units.commit("sign out everywhere", new Unit<Boolean>() {
            @Override
            public Boolean write(Connection connection) throws SQLException {
                if (!Grants.isValid(connection, caller)) {
                    return false;
                }
                UserAccess.end(connection, caller.userId());
                enrollments.endAll(connection, caller.userId());
                sessions.endAll(connection, caller.userId());
                return true;
            }

            @Override
            public @Nullable AuditEvent event(Boolean result) {
                return result ? AuditEvent.of(AuditAction.LOGOUT_EVERYWHERE, caller.userId(), correlationId) : null;
            }
        });
        accessEnded.accept(caller.userId());
        return done;
    }

    /**
     * Erases a user: deletes their passkeys, sessions, enrollments and rows, one of which maps the pseudonym
     * in audit rows to the user id. A keyed hash keeps the name taken. A repeated call completes an erasure that failed halfway.
     */
    public Result erase(String userId, String operator, String correlationId) {
        boolean invited = enrollments.isPending(userId);
        Result result = units.commit("erase a user", new Unit<Result>() {
            @Override
            public Result write(Connection connection) throws SQLException {
                if (!invited && !TakenNames.isUser(connection, userId)) {
                    return erased.contains(connection, userId) ? Result.UNCHANGED : Result.NOT_FOUND;
                }
                SqlCredentialStore.lock(connection, userId); // waits for concurrent registrations and removals
                enrollments.endAll(connection, userId);
                UserDirectory.delete(connection, userId, erased.hash(userId));
                sessions.endAll(connection, userId); // after the passkeys, whose rows concurrent logins lock
                erased.add(connection, userId, clock.millis());
                return Result.DONE;
            }

            @Override
            public @Nullable AuditEvent event(Result done) {
                return done == Result.DONE
                        ? AuditEvent.byOperator(AuditAction.USER_ERASED, userId, operator, correlationId)
                        : null;
            }
        });
        if (result != Result.NOT_FOUND) {
            accessEnded.accept(userId);
        }
        return result;
    }

    private Result change(
            String what, String userId, AuditAction action, String operator, String correlationId, Change change) {
        boolean invited = enrollments.isPending(userId);
        Result result = units.commit(what, new Unit<Result>() {
            @Override
            public Result write(Connection connection) throws SQLException {
                if (!invited && !TakenNames.isUser(connection, userId)) {
                    return Result.NOT_FOUND;
                }
                // A concurrent request that changes passkeys then finds that access has ended.
                SqlCredentialStore.lock(connection, userId);
                if (erased.contains(connection, userId)) { // while this waited for the lock
                    SqlUsers.forget(connection, userId);
                    return Result.NOT_FOUND;
                }
                if (!change.write(connection, UserAccess.read(connection, userId))) {
                    return Result.UNCHANGED;
                }
                enrollments.endAll(connection, userId);
                sessions.endAll(connection, userId);
                return Result.DONE;
            }

            @Override
            public @Nullable AuditEvent event(Result done) {
                return done == Result.DONE ? AuditEvent.byOperator(action, userId, operator, correlationId) : null;
            }
        });
        if (result != Result.NOT_FOUND) {
            accessEnded.accept(userId);
        }
        return result;
    }
}
