// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.openid.protocol.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The groups that users belong to, in the table {@code porchlight_group_member}. A group exists while it has members. */
public final class Groups {
    /** The form of a group's name. The console uses it in HTML, where the hyphen must be escaped. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@\\-]{0,63}");

    private static final String OF_USER =
            "SELECT group_name FROM porchlight_group_member WHERE user_id = ? ORDER BY group_name";

    private final Sql sql;

    public Groups(Sql sql) {
        this.sql = sql;
    }

    /** The groups of a user, by name. */
    public List<String> of(String userId) {
        return sql.query(OF_USER, row -> row.getString(1), userId);
    }

    /** The groups of a user, by name, as a transaction sees them. */
    static List<String> of(Connection connection, String userId) throws SQLException {
        return Sql.query(connection, OF_USER, row -> row.getString(1), userId);
    }

    /** Why a user may not use a client that is limited to groups, or null. */
    public @Nullable Refusal refusal(Client client, String userId, Refusal.Reason reason) {
        return client.isLimited() ? client.refusal(reason, of(userId)) : null;
    }

    /** The same as a transaction sees it. */
    public static @Nullable Refusal refusal(Connection connection, Client client, String userId, Refusal.Reason reason)
            throws SQLException {
        return client.isLimited() ? client.refusal(reason, of(connection, userId)) : null;
    }

    /** A group and the number of its members. */
    public record Size(String group, long members) {}

    /** All groups, by name. */
    public List<Size> all() {
        return sql.query(
                "SELECT group_name, COUNT(*) FROM porchlight_group_member GROUP BY group_name ORDER BY group_name",
                row -> new Size(row.getString(1), row.getLong(2)));
    }

    /** The members of a group, by user id. */
    public List<String> members(String group) {
        return sql.query(
                "SELECT user_id FROM porchlight_group_member WHERE group_name = ? ORDER BY user_id",
                row -> row.getString(1),
                group);
    }

    /** Adds a user to a group, within a transaction of the caller; false if the user is a member already. */
    static boolean add(Connection connection, String group, String userId) throws SQLException {
        return Sql.update(
                        connection,
                        "INSERT INTO porchlight_group_member (group_name, user_id) VALUES (?, ?)"
                                + " ON CONFLICT (group_name, user_id) DO NOTHING",
                        group,
                        userId)
                == 1;
    }

    /** Removes a user from a group, within a transaction of the caller; false if the user is not a member. */
    static boolean remove(Connection connection, String group, String userId) throws SQLException {
        return Sql.update(
                        connection,
                        "DELETE FROM porchlight_group_member WHERE group_name = ? AND user_id = ?",
                        group,
                        userId)
                == 1;
    }
}
