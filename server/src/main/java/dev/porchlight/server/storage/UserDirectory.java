// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditSubjects;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, finds and deletes the rows of users, for operators. */
public final class UserDirectory {
    private static final String SELECT = "SELECT n.user_id, u.display_name, a.locked_at,"
            + " (SELECT COUNT(*) FROM passkey_credential AS c WHERE c.user_id = n.user_id),"
            + " (SELECT MAX(c.last_used_at) FROM passkey_credential AS c WHERE c.user_id = n.user_id)";
    private static final String JOINS = " LEFT JOIN passkey_user AS u ON u.user_id = n.user_id"
            + " LEFT JOIN porchlight_user_access AS a ON a.user_id = n.user_id";
    /** Tables whose rows belong to a user. */
    private static final List<String> ROWS = List.of(
            "passkey_credential",
            "passkey_challenge",
            "porchlight_user_access",
            "porchlight_group_member",
            "porchlight_openid_consent");

    private static final String PAGE = SELECT + " FROM porchlight_name AS n" + JOINS + " WHERE n.name > ?";
    private static final String MATCHING = " AND n.name LIKE ? ESCAPE '!'";
    private static final String IN_ORDER = " ORDER BY n.name LIMIT ?";

    /** An imported user whose name another spelling holds is found by the exact id. */
    private static final String EXACT = SELECT + " FROM (SELECT user_id FROM passkey_user WHERE user_id = ?"
            + " UNION SELECT user_id FROM passkey_credential WHERE user_id = ?"
            + " UNION SELECT user_id FROM porchlight_name WHERE user_id = ? AND name = ?) AS n" + JOINS;

    private static final String SEALS = "DELETE FROM passkey_seal"
            + " WHERE credential_id IN (SELECT credential_id FROM passkey_credential WHERE user_id = ?)";
    private static final String SOURCES = "DELETE FROM porchlight_passkey_source"
            + " WHERE credential_id IN (SELECT credential_id FROM passkey_credential WHERE user_id = ?)";

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
            @Nullable Long lastUsedAt) {}

    private UserDirectory() {}

    /**
     * A page of users, ordered by name.
     *
     * @param query a part of the user id, in any case; null for all users
     * @param after the user id before the page; null for the first page
     */
    public static List<Entry> list(Sql sql, @Nullable String query, @Nullable String after, int limit) {
        String from = after == null ? "" : TakenNames.fold(after);
        return query == null
                ? sql.query(PAGE + IN_ORDER, UserDirectory::read, from, limit)
                : sql.query(PAGE + MATCHING + IN_ORDER, UserDirectory::read, from, pattern(query), limit);
    }

    /** The user with this exact id, or null. */
    public static @Nullable Entry find(Sql sql, String userId) {
        return Sql.first(sql.query(EXACT, UserDirectory::read, userId, userId, userId, TakenNames.fold(userId)));
    }

    /** Deletes all rows of a user except sealed entries and audit rows, within the transaction of the erasure. */
    public static void delete(Connection connection, String userId) throws SQLException {
        Sql.update(connection, SEALS, userId);
        Sql.update(connection, SOURCES, userId);
        for (String table : ROWS) {
            Sql.update(connection, "DELETE FROM " + table + " WHERE user_id = ?", userId);
        }
        Sql.update(
                connection,
                "DELETE FROM porchlight_name WHERE name = ? AND user_id = ?",
                TakenNames.fold(userId),
                userId);
        AuditSubjects.remove(connection, userId);
        Sql.update(connection, "DELETE FROM passkey_user WHERE user_id = ?", userId);
    }

    private static String pattern(String query) {
        return '%' + TakenNames.fold(query).replaceAll("[!%_]", "!$0") + '%';
    }

    private static Entry read(ResultSet row) throws SQLException {
        boolean locked = row.getObject(3) != null;
        int passkeys = row.getInt(4);
        long time = row.getLong(5);
        Long lastUsedAt = row.wasNull() ? null : Long.valueOf(time);
        return new Entry(row.getString(1), row.getString(2), locked, passkeys, lastUsedAt);
    }
}
