// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists, finds and deletes users, for operators. */
public final class UserDirectory {
    /**
     * A user in a list.
     *
     * @param passkeys the number of passkeys
     * @param lastUsedAt the last sign-in in milliseconds since 1970, or null
     */
    public record Entry(
            String userId,
            @Nullable String displayName,
            boolean locked,
            int passkeys,
            @Nullable Long lastUsedAt) {
        public void write(JsonWriter json) {
            json.text("userId", userId)
                    .optionalText("displayName", displayName)
                    .bool("locked", locked)
                    .number("passkeyCount", passkeys)
                    .optionalNumber("lastUsedAt", lastUsedAt);
        }
    }

    private UserDirectory() {}

    /**
     * A page of users, ordered by name.
     *
     * @param query a part of the user id, in any case; null for all users
     * @param after the user id before the page; null for the first page
     */
    public static List<Entry> list(Sql sql, @Nullable String query, @Nullable String after, int limit) {
        return of(sql, TakenNames.page(sql, query, after, limit));
    }

    /** The user with this exact id, or null: also an imported user whose name another spelling holds. */
    public static @Nullable Entry find(Sql sql, String userId) {
        return exists(sql, userId) ? of(sql, List.of(userId)).get(0) : null;
    }

    public static boolean exists(Sql sql, String userId) {
        return TakenNames.isHeld(sql, userId) || SqlUsers.isKnown(sql, userId);
    }

    /** These users, in this order. */
    public static List<Entry> of(Sql sql, List<String> userIds) {
        Map<String, SqlUsers.Overview> overviews = SqlUsers.overviews(sql, userIds);
        Map<String, UserAccess.Note> notes = UserAccess.notes(sql, userIds);
        return userIds.stream()
                .map(id -> entry(
                        id,
                        overviews.getOrDefault(id, SqlUsers.Overview.NONE),
                        notes.getOrDefault(id, UserAccess.Note.NONE)))
                .toList();
    }

    private static Entry entry(String userId, SqlUsers.Overview user, UserAccess.Note note) {
        Long lastUsedAt = user.lastUsedAt();
        Long before = note.lastSignInAt();
        Long last = lastUsedAt == null || before != null && before > lastUsedAt ? before : lastUsedAt;
        return new Entry(userId, user.displayName(), note.locked(), user.passkeys(), last);
    }

    /**
     * Deletes all rows of a user except sealed entries, failed ceremonies and audit rows, within the transaction of the erasure. The name comes
     * first: transactions that add something hold it, so that what they added is found, and later ones find no user.
     */
    public static void delete(Connection connection, String userId) throws SQLException {
        TakenNames.release(connection, userId);
        SqlUsers.erase(connection, userId);
        UserAccess.remove(connection, userId);
        UserGroups.forget(connection, userId);
        Consents.forgetUser(connection, userId);
    }
}
