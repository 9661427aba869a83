// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists, finds and removes users, for the administration of a service. A user is anyone with a row in {@code passkey_user} or
 * {@code passkey_credential}.
 */
public final class SqlUsers {
    /** The table of users. */
    public static final String TABLE = "passkey_user";

    /** Finds a user by subject, which is both parameters. */
    private static final String OF_SUBJECT = "FROM passkey_user WHERE user_handle = ?"
            + " OR user_id = ? AND user_handle IS NULL ORDER BY user_handle IS NULL LIMIT 1";

    /** The display name of a user, as a column of another statement. Both parameters are the subject. */
    public static final String DISPLAY_NAME = "(SELECT display_name " + OF_SUBJECT + ")";

    private static final String SUBJECT = "SELECT COALESCE(user_handle, user_id) FROM passkey_user WHERE user_id = ?";

    /** Selects a row if a user exists. Both parameters are the user id. */
    public static final String IS_KNOWN = "SELECT 1 FROM passkey_user WHERE user_id = ?"
            + " UNION ALL SELECT 1 FROM passkey_credential WHERE user_id = ?";
    /** The limit follows as a literal. */
    private static final String AFTER = "SELECT user_id FROM passkey_user WHERE user_id > ?"
            + " UNION SELECT user_id FROM passkey_credential WHERE user_id > ? ORDER BY user_id LIMIT ";

    private static final String LAST = "SELECT MAX(user_id) FROM (SELECT MAX(user_id) AS user_id FROM passkey_user"
            + " UNION ALL SELECT MAX(user_id) FROM passkey_credential) AS newest";
    private static final String NAMES = "SELECT user_id, display_name FROM passkey_user WHERE user_id IN (%s)";
    private static final String COUNTS = "SELECT user_id, COUNT(*), MAX(last_used_at) FROM passkey_credential"
            + " WHERE user_id IN (%s) GROUP BY user_id";
    private static final String LAST_USE = "SELECT MAX(last_used_at) FROM passkey_credential WHERE user_id = ?";
    private static final String HOLDER = "SELECT user_id FROM passkey_credential WHERE credential_id = ?"
            + " UNION ALL SELECT user_id FROM passkey_user WHERE user_handle = ?";
    private static final String PASSKEYS = "SELECT credential_id FROM passkey_credential WHERE user_id = ?";
    private static final String LOCK_PASSKEYS = PASSKEYS + " ORDER BY credential_id FOR NO KEY UPDATE";
    private static final String FORGET = "DELETE FROM passkey_user WHERE user_id = ?"
            + " AND NOT EXISTS (SELECT 1 FROM passkey_credential WHERE user_id = ?)";
    private static final List<String> ERASE = List.of(
            "DELETE FROM passkey_seal WHERE credential_id IN (" + PASSKEYS + ")",
            "DELETE FROM passkey_credential WHERE user_id = ?",
            "DELETE FROM passkey_challenge WHERE user_id = ?",
            "DELETE FROM passkey_user WHERE user_id = ?");

    private SqlUsers() {}

    /**
     * A user in a list.
     *
     * @param passkeys the number of passkeys
     * @param lastUsedAt the last sign-in in milliseconds since 1970, or null
     */
    public record Overview(
            @Nullable String displayName,
            int passkeys,
            @Nullable Long lastUsedAt) {
        /** A user without a row. */
        public static final Overview NONE = new Overview(null, 0, null);

        private Overview and(Overview counted) {
            return new Overview(displayName, counted.passkeys, counted.lastUsedAt);
        }
    }

    /** Whether a user with this id exists. */
    public static boolean isKnown(Sql sql, String userId) {
        return sql.exists(IS_KNOWN, userId, userId);
    }

    /** The same within a transaction of the caller. */
    public static boolean isKnown(Connection connection, String userId) throws SQLException {
        return Sql.exists(connection, IS_KNOWN, userId, userId);
    }

    /** The ids after this one, in order. */
    public static List<String> after(Sql sql, String userId, int limit) {
        return sql.query(AFTER + limit, row -> row.getString(1), userId, userId);
    }

    /** The last id in order, or null. */
    public static @Nullable String last(Sql sql) {
        return sql.query(LAST, row -> row.getString(1)).get(0);
    }

    /** The users with these ids, by id. */
    public static Map<String, Overview> overviews(Sql sql, Collection<String> userIds) {
        Map<String, Overview> found = new HashMap<>();
        if (!userIds.isEmpty()) {
            Object[] ids = userIds.toArray();
            String marks = Sql.marks(ids.length);
            for (Map.Entry<String, Overview> user : sql.query(NAMES.formatted(marks), SqlUsers::readName, ids)) {
                found.put(user.getKey(), user.getValue());
            }
            for (Map.Entry<String, Overview> user : sql.query(COUNTS.formatted(marks), SqlUsers::readCount, ids)) {
                found.merge(user.getKey(), user.getValue(), Overview::and);
            }
        }
        return found;
    }

    /** The last login of a user in milliseconds since 1970, within a transaction of the caller; null if there was none. */
    public static @Nullable Long lastUse(Connection connection, String userId) throws SQLException {
        return Sql.query(connection, LAST_USE, SqlUsers::time, userId).get(0).orElse(null);
    }

    private static Optional<Long> time(ResultSet row) throws SQLException {
        long time = row.getLong(1);
        return row.wasNull() ? Optional.empty() : Optional.of(time);
    }

    /** The user of a stored passkey or else of a user handle, or null. */
    public static @Nullable String holderOf(Sql sql, String credentialId, String userHandle) {
        return Sql.first(sql.query(HOLDER, row -> row.getString(1), credentialId, userHandle));
    }

    /**
     * A name of the user for other parties, within a transaction of the caller: the user handle, or the id of a user without
     * one. It stays the same, and a handle says nothing about the user.
     */
    public static String subject(Connection connection, String userId) throws SQLException {
        String subject = Sql.first(Sql.query(connection, SUBJECT, row -> row.getString(1), userId));
        return subject == null ? userId : subject;
    }

    /** The user id of a subject, or null. */
    public static @Nullable String ofSubject(Sql sql, String subject) {
        return Sql.first(sql.query("SELECT user_id " + OF_SUBJECT, row -> row.getString(1), subject, subject));
    }

    /** The ids of a user's passkeys, within a transaction of the caller. */
    public static List<String> passkeys(Connection connection, String userId) throws SQLException {
        return Sql.query(connection, PASSKEYS, row -> row.getString(1), userId);
    }

    /**
     * Makes other changes of a user's passkeys and access wait until the caller's transaction ends. Returns whether the user was
     * known before; the row of one who was not is removed with {@link #forget}.
     */
    public static boolean lock(Connection connection, String userId) throws SQLException {
        return UserRows.lockKnown(connection, userId);
    }

    /**
     * The same for the user of a passkey. Returns false if the user does not have it; otherwise the caller reads the passkey,
     * whose removal may have held the lock.
     */
    public static boolean lockOwner(Connection connection, String userId, String credentialId) throws SQLException {
        return UserRows.lockOwner(connection, userId, credentialId);
    }

    /**
     * Makes logins with the passkeys of a user wait until the caller's transaction ends, on PostgreSQL. A login locks the passkey
     * and then the session that it replaces, so a transaction that locks both does so in this order.
     */
    public static void lockPasskeys(Connection connection, String userId) throws SQLException {
        if (LongTransaction.isOnPostgres(connection)) {
            var unused = Sql.query(connection, LOCK_PASSKEYS, row -> row.getString(1), userId);
        }
    }

    /** Removes the row of a user without a passkey, within a transaction of the caller. */
    public static void forget(Connection connection, String userId) throws SQLException {
        Sql.update(connection, FORGET, userId, userId);
    }

    /** Deletes everything about a user, within a transaction of the caller. */
    public static void erase(Connection connection, String userId) throws SQLException {
        for (String statement : ERASE) {
            Sql.update(connection, statement, userId);
        }
    }

    private static Map.Entry<String, Overview> readName(ResultSet row) throws SQLException {
        return Map.entry(row.getString(1), new Overview(row.getString(2), 0, null));
    }

    private static Map.Entry<String, Overview> readCount(ResultSet row) throws SQLException {
        return Map.entry(row.getString(1), new Overview(null, row.getInt(2), Sql.optionalLong(row, 3)));
    }
}
