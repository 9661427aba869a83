// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.people.Claims;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserGroups;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts users into groups and removes groups, each change with its audit row. Thread-safe. */
public final class GroupAdministration {
    private final Units units;
    private final Departure departure;
    private final Consumer<String> accessEnded;

    /** Notifies {@code accessEnded} of users who left a group, if that ended anything. */
    public GroupAdministration(Units units, Departure departure, Consumer<String> accessEnded) {
        this.units = units;
        this.departure = departure;
        this.accessEnded = accessEnded;
    }

    /** Ends what depends on a membership, within the transaction in which a user leaves a group. */
    @FunctionalInterface
    public interface Departure {
        /** Returns whether anything ended that is reported after the commit. */
        boolean run(Connection connection, String userId, String group) throws SQLException;
    }

    /** The result of adding a user to a group. */
    public enum JoinResult {
        ADDED,
        ALREADY_MEMBER,
        UNKNOWN_USER
    }

    /**
     * Adds a user to a group. The user must be registered or invited: anyone who later signs up with an unknown name would be
     * a member.
     */
    public JoinResult add(String group, String userId, Actor by) {
        return units.commit(
                "add to a group",
                by,
                Target.user(userId),
                connection -> {
                    if (!TakenNames.holds(connection, userId)) {
                        return JoinResult.UNKNOWN_USER;
                    }
                    return UserGroups.add(connection, group, userId) ? JoinResult.ADDED : JoinResult.ALREADY_MEMBER;
                },
                joined -> joined == JoinResult.ADDED ? event(AuditAction.GROUP_MEMBER_ADDED, group, userId) : null);
    }

    /** Removes a user from a group, and ends what depends on it; false if the user is not a member. */
    public boolean remove(String group, String userId, Actor by) {
        Removal removal = units.commit(
                "remove from a group",
                by,
                Target.user(userId),
                connection -> {
                    boolean removed = UserGroups.remove(connection, group, userId);
                    return new Removal(removed, removed && departure.run(connection, userId, group));
                },
                done -> done.removed() ? event(AuditAction.GROUP_MEMBER_REMOVED, group, userId) : null);
        if (removal.reported()) {
            accessEnded.accept(userId);
        }
        return removal.removed();
    }

    private record Removal(boolean removed, boolean reported) {}

    /** Replaces the groups of a user; false if the user is unknown. */
    public boolean replace(List<String> wanted, List<String> before, String userId, Actor by) {
        for (String group : wanted) {
            if (!before.contains(group) && add(group, userId, by) == JoinResult.UNKNOWN_USER) {
                return false;
            }
        }
        for (String group : before) {
            if (!wanted.contains(group)) {
                var unused = remove(group, userId, by);
            }
        }
        return true;
    }

    /**
     * Changes claims that a group gives its members. Creates the group if it does not exist.
     *
     * @param change the new values, of which null removes a claim
     * @return whether any changed
     * @throws MalformedException if a claim is invalid, or all claims are too large together
     */
    public boolean changeClaims(String group, JsonObject change, Actor by) throws MalformedException {
        var unused = Claims.NONE.with(change); // before the group is created
        ClaimChange done = units.commit(
                "change a group",
                by,
                Target.NONE,
                connection -> {
                    Claims before = Claims.parse(UserGroups.lockClaims(connection, group));
                    try {
                        Claims after = before.with(change);
                        UserGroups.setClaims(connection, group, after.isEmpty() ? null : after.json());
                        return new ClaimChange(!after.equals(before), null);
                    } catch (MalformedException e) {
                        return new ClaimChange(false, e);
                    }
                },
                result -> result.changed()
                        ? event(AuditAction.GROUP_CHANGED, group, "").withChanges(List.of("claims"))
                        : null);
        if (done.fault() != null) {
            throw done.fault();
        }
        return done.changed();
    }

    private record ClaimChange(boolean changed, @Nullable MalformedException fault) {}

    /** Removes a group; false if it has members or does not exist. */
    public boolean remove(String group, Actor by) {
        return units.commit(
                "remove a group",
                by,
                Target.NONE,
                connection -> UserGroups.remove(connection, group),
                removed -> removed ? event(AuditAction.GROUP_REMOVED, group, "") : null);
    }

    private static AuditEvent event(AuditAction action, String group, String userId) {
        return AuditEvent.of(action, userId).withGroup(group);
    }
}
