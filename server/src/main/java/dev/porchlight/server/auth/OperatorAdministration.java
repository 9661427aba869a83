// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives roles to users and tokens to programs, and takes them away, each change with its audit row. Thread-safe. */
public final class OperatorAdministration {
    private final Units units;
    private final Enrollments enrollments;
    private final ApiTokens tokens;
    private final boolean keepOwner;
    private final InstantSource clock;

    /**
     * The administration of operators.
     *
     * @param keepOwner whether the last owner stays unless forced, because there is no {@code ADMIN_TOKEN}
     */
    public OperatorAdministration(
            Units units, Enrollments enrollments, ApiTokens tokens, boolean keepOwner, InstantSource clock) {
        this.units = units;
        this.enrollments = enrollments;
        this.tokens = tokens;
        this.keepOwner = keepOwner;
        this.clock = clock;
    }

    /** The result of a change of a role. */
    public enum Result {
        DONE,
        /** The user has that role, or none, already. */
        UNCHANGED,
        UNKNOWN_USER,
        LAST_OWNER
    }

    private record Change(Result result, String role) {}

    /** Gives a user a role, or takes it away if it is null. */
    public Result set(String userId, @Nullable Role role, boolean force, Actor by) {
        return role == null ? remove(userId, force, by) : add(userId, role, force, by);
    }

    /**
     * Gives a user a role, which replaces another one. The user must be registered or invited: anyone who later signs up with an
     * unknown name would have the role. Open enrollment links end, because operators of a lower role may have issued them.
     */
    public Result add(String userId, Role role, boolean force, Actor by) {
        // The lock of the target waits for a registration with an open link; later ones find that it has ended.
        return change(AuditAction.OPERATOR_ADDED, userId, by, connection -> {
            if (!TakenNames.holds(connection, userId)) {
                return new Change(Result.UNKNOWN_USER, "");
            }
            Role before = OperatorRoles.of(connection, userId);
            if (before == role) {
                return new Change(Result.UNCHANGED, "");
            }
            if (isLastOwner(connection, before, force)) {
                return new Change(Result.LAST_OWNER, "");
            }
            if (before == null) {
                enrollments.endAll(connection, userId, AuditAction.OPERATOR_ADDED, by.label());
                var unused = RecoveryCodes.remove(connection, userId);
            }
            OperatorRoles.set(connection, userId, role, clock.millis());
            return new Change(Result.DONE, role.code());
        });
    }

    /** Takes the role away from a user. */
    public Result remove(String userId, boolean force, Actor by) {
        return change(AuditAction.OPERATOR_REMOVED, userId, by, connection -> {
            Role before = OperatorRoles.of(connection, userId);
            if (before == null) {
                return new Change(Result.UNCHANGED, "");
            }
            if (isLastOwner(connection, before, force)) {
                return new Change(Result.LAST_OWNER, "");
            }
            OperatorRoles.remove(connection, userId);
            return new Change(Result.DONE, before.code());
        });
    }

    private boolean isLastOwner(Connection connection, @Nullable Role before, boolean force) throws SQLException {
        return before == Role.OWNER && keepOwner && !force && OperatorRoles.holdOwners(connection) == 1;
    }

    private Result change(AuditAction action, String userId, Actor by, Sql.Work<Change> work) {
        return units.commit(
                        "change a role",
                        by,
                        Target.user(userId),
                        work,
                        change -> change.result() == Result.DONE
                                ? AuditEvent.of(action, userId).withChanges(List.of(change.role()))
                                : null)
                .result();
    }

    /**
     * A new token.
     *
     * @param secret its text, which is not stored
     */
    public record Issued(ApiTokens.Entry token, String secret) {}

    /** Issues a token; null if the name is taken, or there are too many tokens. */
    public @Nullable Issued issue(String name, Role role, @Nullable Long expiresAt, Actor by) {
        var token = new ApiTokens.Entry(name, role, clock.millis(), by.label(), expiresAt, null);
        String secret = tokens.newSecret();
        boolean added = units.commit(
                "issue an API token",
                by,
                Target.NONE,
                connection -> !ApiTokens.isFull(connection) && tokens.add(connection, token, secret),
                done -> done ? event(AuditAction.API_TOKEN_ISSUED, name, role) : null);
        return added ? new Issued(token, secret) : null;
    }

    /** Revokes a token; false if there is none with this name. */
    public boolean revoke(String name, Actor by) {
        return units.commit(
                        "revoke an API token",
                        by,
                        Target.token(name),
                        connection -> ApiTokens.remove(connection, name),
                        removed -> removed.map(role -> event(AuditAction.API_TOKEN_REVOKED, name, role))
                                .orElse(null))
                .isPresent();
    }

    private static AuditEvent event(AuditAction action, String name, Role role) {
        return AuditEvent.of(action, "").withChanges(List.of(name, role.code()));
    }
}
