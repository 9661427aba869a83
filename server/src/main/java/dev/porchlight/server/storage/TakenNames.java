// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.EditDistance;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.audit.AuditSubjects;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * User ids that were ever registered or invited, in the table {@code porchlight_name}. They are never available for sign-up
 * again. Ids that differ only in case or compatibility form are the same name.
 */
public final class TakenNames {
    /** Why a name is not available. */
    public static final String ERASED = "it belonged to a user who was erased";

    private static final String TAKE =
            "INSERT INTO porchlight_name (name, user_id) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";
    private static final String HOLDER = "SELECT user_id FROM porchlight_name WHERE name = ?";
    /** An empty update, which locks the row of a name in whatever spelling. */
    private static final String HOLD = "UPDATE porchlight_name SET user_id = user_id WHERE name = ?";
    /** The same for a name that may have no row yet. */
    private static final String TAKE_OR_HOLD = "INSERT INTO porchlight_name (name, user_id) VALUES (?, ?)"
            + " ON CONFLICT (name) DO UPDATE SET user_id = porchlight_name.user_id";

    private static final String RELEASE = "DELETE FROM porchlight_name WHERE name = ? AND user_id = ?";
    private static final String IS_TAKEN = "SELECT 1 FROM porchlight_name WHERE name = ? UNION ALL " + SqlUsers.IS_KNOWN
            + " UNION ALL " + ErasedUsers.FIND;
    private static final String PAGE = "SELECT user_id FROM porchlight_name WHERE name > ?";
    private static final String MATCHING = " AND name LIKE ? ESCAPE '!'";
    private static final String IN_ORDER = " ORDER BY name LIMIT ?";

    private static final String BETWEEN =
            "SELECT user_id FROM porchlight_name WHERE name >= ? AND name < ? AND name > ?" + IN_ORDER;

    private static final String SIMILAR = "SELECT name, user_id FROM porchlight_name WHERE LENGTH(name) BETWEEN ? AND ?"
            + " AND (name LIKE ? ESCAPE '!' OR name LIKE ? ESCAPE '!' OR name LIKE ? ESCAPE '!')"
            + " OR name LIKE ? ESCAPE '!' OR name = ? LIMIT 2000";
    private static final int MAX_COMPARED = 64;
    private static final int MAX_CLOSEST = 3;

    private static final int AT_ONCE = 1_000;

    private final ErasedUsers erased;
    private final AuditSubjects subjects;

    public TakenNames(ErasedUsers erased, AuditSubjects subjects) {
        this.erased = erased;
        this.subjects = subjects;
    }

    /** Takes a name, within a transaction of the caller. False if it was taken before, also by an erased user. */
    public boolean take(Connection connection, String userId) throws SQLException {
        boolean taken = Sql.update(connection, TAKE, UserNames.fold(userId), userId) == 1;
        // Read after the insert, which waits for the transaction of an erasure.
        if (taken && isErased(connection, userId)) {
            release(connection, userId);
            return false;
        }
        if (taken) {
            subjects.add(connection, userId);
        }
        return taken;
    }

    /**
     * Releases a name, within a transaction of the caller. Waits for those that {@linkplain #holds hold} it; later ones wait for
     * the end of this one.
     */
    public static void release(Connection connection, String userId) throws SQLException {
        Sql.update(connection, TAKE_OR_HOLD, UserNames.fold(userId), userId);
        Sql.update(connection, RELEASE, UserNames.fold(userId), userId);
        AuditSubjects.remove(connection, userId);
    }

    /**
     * Reserves the name of a user that an operator invites, within a transaction of the caller that has locked the user.
     *
     * @return why the name is not available, or null if it is reserved for this user
     */
    public @Nullable String reserve(Connection connection, String userId) throws SQLException {
        if (!take(connection, userId) && isErased(connection, userId)) {
            return ERASED;
        }
        String holder = holder(connection, userId);
        // Two imported users may differ only in spelling; both keep their accounts.
        boolean own = holder == null || holder.equals(userId) || SqlUsers.isKnown(connection, userId);
        return own ? null : "it is taken by the user " + holder;
    }

    public boolean isTaken(Sql sql, String userId) {
        return sql.exists(IS_TAKEN, UserNames.fold(userId), userId, userId, erased.hash(userId));
    }

    /** Whether a user was erased. Of two imported users who differ only in spelling, the other keeps the account. */
    public boolean isErased(Connection connection, String userId) throws SQLException {
        return erased.contains(connection, userId)
                && SqlUsers.passkeys(connection, userId).isEmpty();
    }

    /** The users who hold a name, ordered by it, see {@link UserDirectory#list}. */
    static List<String> page(Sql sql, @Nullable String query, @Nullable String after, int limit) {
        String from = after == null ? "" : UserNames.fold(after);
        return query == null
                ? sql.query(PAGE + IN_ORDER, row -> row.getString(1), from, limit)
                : sql.query(PAGE + MATCHING + IN_ORDER, row -> row.getString(1), from, pattern(query), limit);
    }

    /** The users whose folded names are in a range and after one of them, in the order of characters. */
    public static List<String> between(Sql sql, String from, String to, String after, int limit) {
        return sql.query(BETWEEN, row -> row.getString(1), from, to, after, limit);
    }

    /**
     * The users whose names are most like a name that no user has, the closest first: with at most two typing mistakes, or
     * with another domain after the {@code @} or none. Reads all names.
     */
    public static List<String> closest(Sql sql, String typed) {
        String name = UserNames.fold(typed);
        String local = beforeAt(name);
        int length = name.length();
        if (length == 0 || length > MAX_COMPARED) {
            return List.of();
        }
        int allowed = length < 4 ? 1 : 2;
        int third = (length + 2) / 3;
        // A name with at most two differences has one third of this one unchanged, unless neighbors are swapped.
        List<Similar> similar = sql.query(
                SIMILAR,
                row -> new Similar(row.getString(2), distance(name, row.getString(1))),
                length - allowed,
                length + allowed,
                pattern(name.substring(0, third)),
                pattern(name.substring(Math.min(third, length - 1), Math.min(2 * third, length))),
                pattern(name.substring(Math.max(0, length - third))),
                escaped(local) + "@%",
                local);
        return similar.stream()
                .filter(one -> one.distance() <= allowed)
                .sorted(Comparator.comparingInt(Similar::distance).thenComparing(Similar::userId))
                .limit(MAX_CLOSEST)
                .map(Similar::userId)
                .toList();
    }

    private record Similar(String userId, int distance) {}

    private static int distance(String name, String other) {
        return Math.min(EditDistance.of(name, other), beforeAt(name).equals(beforeAt(other)) ? 1 : MAX_COMPARED);
    }

    private static String beforeAt(String name) {
        int at = name.indexOf('@');
        return at < 0 ? name : name.substring(0, at);
    }

    private static String escaped(String text) {
        return text.replaceAll("[!%_]", "!$0");
    }

    private static String pattern(String query) {
        return '%' + escaped(UserNames.fold(query)) + '%';
    }

    /** The user who holds a name, in the registered spelling, or null. */
    public static @Nullable String holder(Sql sql, String name) {
        return Sql.first(sql.query(HOLDER, row -> row.getString(1), UserNames.fold(name)));
    }

    /** The same within a transaction of the caller. */
    public static @Nullable String holder(Connection connection, String name) throws SQLException {
        return Sql.first(Sql.query(connection, HOLDER, row -> row.getString(1), UserNames.fold(name)));
    }

    static boolean isHeld(Sql sql, String userId) {
        return userId.equals(holder(sql, userId));
    }

    /** Whether this user holds their name, with or without a passkey, within a transaction of the caller. */
    public static boolean isHeld(Connection connection, String userId) throws SQLException {
        return userId.equals(holder(connection, userId));
    }

    /**
     * Whether a user with this id is registered or invited, within a transaction of the caller. A user who is stays so until
     * it ends, and holds the name, unless another spelling does.
     */
    public static boolean holds(Connection connection, String userId) throws SQLException {
        if (Sql.update(connection, HOLD, UserNames.fold(userId)) == 1) {
            return isUser(connection, userId);
        }
        if (!SqlUsers.isKnown(connection, userId)) {
            return false;
        }
        Sql.update(connection, TAKE_OR_HOLD, UserNames.fold(userId), userId);
        boolean known = SqlUsers.isKnown(connection, userId);
        if (!known) { // erased in the meantime
            Sql.update(connection, RELEASE, UserNames.fold(userId), userId);
        }
        return known;
    }

    /** Whether a user with this id is registered or invited, within a transaction of the caller. */
    public static boolean isUser(Connection connection, String userId) throws SQLException {
        return SqlUsers.isKnown(connection, userId) || isHeld(connection, userId);
    }

    /** Removes the row of a user who never had a passkey, in the caller's transaction. */
    public static void forget(Connection connection, String userId) throws SQLException {
        if (!isHeld(connection, userId)) {
            SqlUsers.forget(connection, userId);
        }
    }

    /** Takes the names of all users if the last one is unknown, as after a new key of the audit log. Reads only one user. */
    public void takeIfLastIsMissing(Sql sql) {
        String last = SqlUsers.last(sql);
        if (last != null && !subjects.missing(sql, List.of(last)).isEmpty()) {
            takeMissing(sql);
        }
    }

    /** Takes the names of users that were imported, or that an application added with the library. Reads all users. */
    public void takeMissing(Sql sql) {
        List<String> page = SqlUsers.after(sql, "", AT_ONCE);
        while (!page.isEmpty()) {
            List<String> missing = subjects.missing(sql, page);
            if (!missing.isEmpty()) {
                take(sql, missing);
            }
            page = SqlUsers.after(sql, page.get(page.size() - 1), AT_ONCE);
        }
    }

    private void take(Sql sql, List<String> users) {
        var unused = sql.transaction("take names", connection -> {
            for (String userId : users) {
                if (holds(connection, userId)) { // not erased in the meantime
                    subjects.add(connection, userId);
                }
            }
            return users.size();
        });
    }
}
