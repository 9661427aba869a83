// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user's access, in the table {@code porchlight_user_access}. Users who were never locked or signed out everywhere, and lost
 * no passkey, have no row.
 *
 * @param locked whether an operator has locked the user
 * @param generation increases each time all sessions and tokens of the user are revoked; those of an earlier generation are
 *     invalid. It is a counter, so it does not depend on the clocks of instances.
 */
public record UserAccess(boolean locked, long generation) {
    private static final String READ = "SELECT locked_at, generation FROM porchlight_user_access WHERE user_id = ?";
    private static final String END = "INSERT INTO porchlight_user_access (user_id, locked_at, generation)"
            + " VALUES (?, ?, ?) ON CONFLICT (user_id)"
            + " DO UPDATE SET generation = porchlight_user_access.generation + excluded.generation";
    private static final String LOCK =
            END + ", locked_at = COALESCE(porchlight_user_access.locked_at, excluded.locked_at)";
    private static final String UNLOCK = END + ", locked_at = NULL";

    private static final String KEEP_SIGN_IN = "INSERT INTO porchlight_user_access"
            + " (user_id, locked_at, generation, last_sign_in_at) VALUES (?, NULL, 0, ?) ON CONFLICT (user_id)"
            + " DO UPDATE SET last_sign_in_at = excluded.last_sign_in_at"
            + " WHERE COALESCE(porchlight_user_access.last_sign_in_at, 0) < excluded.last_sign_in_at";
    private static final String NOTES =
            "SELECT user_id, locked_at, last_sign_in_at FROM porchlight_user_access WHERE user_id IN (";
    private static final String REMOVE = "DELETE FROM porchlight_user_access WHERE user_id = ?";

    private static final UserAccess UNTOUCHED = new UserAccess(false, 0);

    public static UserAccess read(Sql sql, String userId) {
        return orUntouched(Sql.first(sql.query(READ, UserAccess::read, userId)));
    }

    public static UserAccess read(Connection connection, String userId) throws SQLException {
        return orUntouched(Sql.first(Sql.query(connection, READ, UserAccess::read, userId)));
    }

    /** Revokes all current sessions and tokens of the user. */
    public static void end(Connection connection, String userId) throws SQLException {
        Sql.update(connection, END, userId, null, 1);
    }

    /** Locks the user and revokes their sessions and tokens. */
    public static void lock(Connection connection, String userId, long now) throws SQLException {
        Sql.update(connection, LOCK, userId, now, 1);
    }

    /** Restores the access of a user who was erased and is imported again: locked if it was, without their tokens. */
    public static void restore(Connection connection, String userId, UserAccess erased, long now) throws SQLException {
        Sql.update(connection, LOCK, userId, erased.locked() ? now : null, erased.generation() + 1);
    }

    /** Unlocks the user, and revokes sessions and tokens of sign-ins that overlapped with the lock. */
    public static void unlock(Connection connection, String userId) throws SQLException {
        Sql.update(connection, UNLOCK, userId, null, 1);
    }

    /** Keeps the time of a sign-in, which is otherwise known from the user's passkeys, before one of them is removed. */
    public static void keepLastSignIn(Connection connection, String userId, long at) throws SQLException {
        Sql.update(connection, KEEP_SIGN_IN, userId, at);
    }

    /**
     * What lists of users show.
     *
     * @param lastSignInAt the last sign-in before a passkey was removed, in milliseconds since 1970, or null
     */
    record Note(boolean locked, @Nullable Long lastSignInAt) {
        static final Note NONE = new Note(false, null);
    }

    static Map<String, Note> notes(Sql sql, List<String> userIds) {
        Map<String, Note> notes = new HashMap<>();
        if (!userIds.isEmpty()) {
            String marks = Sql.marks(userIds.size());
            sql.query(NOTES + marks + ")", UserAccess::readNote, userIds.toArray())
                    .forEach(note -> notes.put(note.getKey(), note.getValue()));
        }
        return notes;
    }

    private static Map.Entry<String, Note> readNote(ResultSet row) throws SQLException {
        return Map.entry(row.getString(1), new Note(row.getObject(2) != null, Sql.optionalLong(row, 3)));
    }

    static void remove(Connection connection, String userId) throws SQLException {
        Sql.update(connection, REMOVE, userId);
    }

    static UserAccess orUntouched(@Nullable UserAccess found) {
        return found == null ? UNTOUCHED : found;
    }

    static UserAccess read(ResultSet row) throws SQLException {
        return new UserAccess(row.getObject(1) != null, row.getLong(2));
    }
}
