// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The groups of users, in the tables {@code porchlight_group} and {@code porchlight_group_member}. A group is created with its
 * first member and exists until it is removed.
 */
public final class UserGroups {
    /** The form of a group's name. The console uses it in HTML, where the hyphen must be escaped. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@\\-]{0,63}");

    /** The groups of a user, as a column of another statement that {@link #names} reads. The parameter is the user id. */
    public static final String NAMES_OF_USER = "(SELECT string_agg(group_name, ' ' ORDER BY group_name)"
            + " FROM porchlight_group_member WHERE user_id = ?)";

    private static final String OF_USER =
            "SELECT group_name FROM porchlight_group_member WHERE user_id = ? ORDER BY group_name";
    private static final String OF_USERS =
            "SELECT user_id, group_name FROM porchlight_group_member" + " WHERE user_id IN (%s) ORDER BY group_name";
    private static final String WITH_CLAIMS = "SELECT group_name, claims FROM porchlight_group ORDER BY group_name";
    private static final String ALL = "SELECT group_name, SUM(member) FROM (SELECT group_name, 0 AS member"
            + " FROM porchlight_group UNION ALL SELECT group_name, 1 FROM porchlight_group_member) AS named"
            + " GROUP BY group_name ORDER BY group_name";
    private static final String MEMBERS =
            "SELECT user_id FROM porchlight_group_member WHERE group_name = ? ORDER BY user_id";
    private static final String CREATE =
            "INSERT INTO porchlight_group (group_name) VALUES (?) ON CONFLICT (group_name) DO NOTHING";
    private static final String JOIN = "INSERT INTO porchlight_group_member (group_name, user_id) VALUES (?, ?)"
            + " ON CONFLICT (group_name, user_id) DO NOTHING";
    private static final String LEAVE = "DELETE FROM porchlight_group_member WHERE group_name = ? AND user_id = ?";
    private static final String CLAIMS_OF_USER = "SELECT g.claims FROM porchlight_group AS g"
            + " JOIN porchlight_group_member AS m ON m.group_name = g.group_name"
            + " WHERE m.user_id = ? AND g.claims IS NOT NULL ORDER BY g.group_name";
    private static final String CLAIMS = "SELECT claims FROM porchlight_group WHERE group_name = ?";
    private static final String LOCK_CLAIMS = "INSERT INTO porchlight_group (group_name) VALUES (?)"
            + " ON CONFLICT (group_name) DO UPDATE SET group_name = excluded.group_name RETURNING claims";
    private static final String REMOVE = "DELETE FROM porchlight_group WHERE group_name = ? AND NOT EXISTS"
            + " (SELECT 1 FROM porchlight_group_member AS m WHERE m.group_name = porchlight_group.group_name)";

    private UserGroups() {}

    /** The groups of a user, by name. */
    public static List<String> of(Sql sql, String userId) {
        return sql.query(OF_USER, row -> row.getString(1), userId);
    }

    /** The groups of a user, by name, as a transaction sees them. */
    public static List<String> of(Connection connection, String userId) throws SQLException {
        return Sql.query(connection, OF_USER, row -> row.getString(1), userId);
    }

    /** Reads the column {@link #NAMES_OF_USER}, which is null without groups. Their names have no blanks. */
    public static List<String> names(@Nullable String joined) {
        return joined == null ? List.of() : List.of(joined.split(" ", -1));
    }

    /** A group and the number of its members. */
    public record Size(String group, long members) {}

    /** All groups, by name. */
    public static List<Size> all(Sql sql) {
        return sql.query(ALL, row -> new Size(row.getString(1), row.getLong(2)));
    }

    /** The groups of those of these users who have any, by name, as a transaction sees them. */
    public static Map<String, List<String>> of(Connection connection, List<String> userIds) throws SQLException {
        if (userIds.isEmpty()) {
            return Map.of();
        }
        String marks = Sql.marks(userIds.size());
        return Sql.query(
                        connection,
                        OF_USERS.formatted(marks),
                        row -> Map.entry(row.getString(1), row.getString(2)),
                        userIds.toArray())
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    /** A group and its claims as JSON, which are null if it has none. */
    public record WithClaims(String group, @Nullable String claims) {}

    /** All groups, by name, as a transaction sees them. */
    public static List<WithClaims> withClaims(Connection connection) throws SQLException {
        return Sql.query(connection, WITH_CLAIMS, row -> new WithClaims(row.getString(1), row.getString(2)));
    }

    /** The members of a group, by user id. */
    public static List<String> members(Sql sql, String group) {
        return sql.query(MEMBERS, row -> row.getString(1), group);
    }

    /** The claims of each group of a user that has any, as JSON, by the name of the group. */
    public static List<String> claimsOf(Sql sql, String userId) {
        return sql.query(CLAIMS_OF_USER, row -> row.getString(1), userId);
    }

    /** The claims of a group, as JSON; null if it has none. */
    public static @Nullable String claims(Sql sql, String group) {
        return Sql.first(sql.query(CLAIMS, row -> row.getString(1), group));
    }

    /** The same for a transaction that changes them. Creates the group if it does not exist. */
    public static @Nullable String lockClaims(Connection connection, String group) throws SQLException {
        return Sql.first(Sql.query(connection, LOCK_CLAIMS, row -> row.getString(1), group));
    }

    /** Replaces the claims of a group, within a transaction of the caller. */
    public static void setClaims(Connection connection, String group, @Nullable String claims) throws SQLException {
        Sql.update(connection, "UPDATE porchlight_group SET claims = ? WHERE group_name = ?", claims, group);
    }

    /** Creates a group, within a transaction of the caller; false if it exists. */
    public static boolean create(Connection connection, String group) throws SQLException {
        return Sql.update(connection, CREATE, group) == 1;
    }

    /** Adds a user to a group, within a transaction of the caller; false if the user is a member already. */
    public static boolean add(Connection connection, String group, String userId) throws SQLException {
        var unused = create(connection, group);
        return Sql.update(connection, JOIN, group, userId) == 1;
    }

    /** Removes a user from a group, within a transaction of the caller; false if the user is not a member. */
    public static boolean remove(Connection connection, String group, String userId) throws SQLException {
        return Sql.update(connection, LEAVE, group, userId) == 1;
    }

    /** Removes a group without members, within a transaction of the caller; false if there is no such group. */
    public static boolean remove(Connection connection, String group) throws SQLException {
        return Sql.update(connection, REMOVE, group) == 1;
    }

    static void forget(Connection connection, String userId) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_group_member WHERE user_id = ?", userId);
    }
}
