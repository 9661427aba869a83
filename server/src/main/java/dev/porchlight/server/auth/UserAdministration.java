// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Locks users and signs them out everywhere. Each change is one transaction with its audit row, effective on all instances at
 * once. Thread-safe.
 */
public final class UserAdministration {
    private final Units units;
    private final Sessions sessions;
    private final Enrollments enrollments;
    private final InstantSource clock;

    public UserAdministration(Units units, Sessions sessions, Enrollments enrollments, InstantSource clock) {
        this.units = units;
        this.sessions = sessions;
        this.enrollments = enrollments;
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
    public Result lock(String userId, String correlationId) {
        return change("lock a user", userId, "user_locked", correlationId, (connection, before) -> {
            if (before.locked()) {
                return false;
            }
            UserAccess.lock(connection, userId, clock.millis());
            enrollments.endAll(connection, userId);
            return true;
        });
    }

    /** Allows the user to sign in again. Sessions, tokens and enrollment tokens from before stay invalid. */
    public Result unlock(String userId, String correlationId) {
        return change("unlock a user", userId, "user_unlocked", correlationId, (connection, before) -> {
            if (!before.locked()) {
                return false;
            }
            UserAccess.unlock(connection, userId);
            return true;
        });
    }

    /** Ends all sessions and tokens of the user, for an operator. */
    public Result signOut(String userId, String correlationId) {
        return change("sign out a user", userId, "user_signed_out", correlationId, (connection, before) -> {
            UserAccess.end(connection, userId);
            return true;
        });
    }

    /**
     * Ends all sessions and tokens at the user's own request.
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
                sessions.endAll(connection, caller.userId());
                return true;
            }

            @Override
            public @Nullable AuditEvent event(Boolean result) {
                return result ? AuditEvent.of("logout_everywhere", caller.userId(), correlationId) : null;
            }
        });
        sessions.endAllInRedis(caller.userId());
        return done;
    }

    private Result change(String what, String userId, String action, String correlationId, Change change) {
        boolean invited = enrollments.isPending(userId);
        Result result = units.commit(what, new Unit<Result>() {
            @Override
            public Result write(Connection connection) throws SQLException {
                if (!invited && !TakenNames.isKnown(connection, userId)) {
                    return Result.NOT_FOUND;
                }
                SqlCredentialStore.lock(
                        connection,
                        userId); // a concurrent request that changes passkeys then finds that access has ended
                if (!change.write(connection, UserAccess.read(connection, userId))) {
                    return Result.UNCHANGED;
                }
                sessions.endAll(connection, userId);
                return Result.DONE;
            }

            @Override
            public @Nullable AuditEvent event(Result done) {
                return done == Result.DONE ? AuditEvent.of(action, userId, correlationId) : null;
            }
        });
        if (result != Result.NOT_FOUND) {
            sessions.endAllInRedis(userId);
        }
        return result;
    }
}
