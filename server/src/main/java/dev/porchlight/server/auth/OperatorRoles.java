// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The users with a role, in the table {@code porchlight_operator}. Each request reads the role, so it ends on all instances with
 * the commit that removes it. Thread-safe.
 */
public final class OperatorRoles {
    private static final String FIND = "SELECT role FROM porchlight_operator WHERE user_id = ?";
    private static final String ALL = "SELECT user_id, role, created_at FROM porchlight_operator ORDER BY user_id";
    private static final String ANY = "SELECT 1 FROM porchlight_operator LIMIT 1";
    private static final String ANY_OWNER = "SELECT 1 FROM porchlight_operator WHERE role = 'owner' LIMIT 1";
    private static final String SET = "INSERT INTO porchlight_operator (user_id, role, created_at) VALUES (?, ?, ?)"
            + " ON CONFLICT (user_id) DO UPDATE SET role = excluded.role, created_at = excluded.created_at";
    /** An empty update, which locks the rows of all owners. */
    private static final String HOLD_OWNERS = "UPDATE porchlight_operator SET role = role WHERE role = 'owner'";

    private static final String REMOVE = "DELETE FROM porchlight_operator WHERE user_id = ?";

    private final Sql sql;

    public OperatorRoles(Sql sql) {
        this.sql = sql;
    }

    /**
     * A user with a role.
     *
     * @param createdAt when the user got the role, in milliseconds since 1970
     */
    public record Entry(String userId, Role role, long createdAt) {
        public void write(JsonWriter json) {
            json.text("userId", userId).text("role", role.code()).number("createdAt", createdAt);
        }
    }

    /** The role of a user, or null. */
    public @Nullable Role of(String userId) {
        return Sql.first(sql.query(FIND, OperatorRoles::role, userId));
    }

    /** All users with a role, by user id. */
    public List<Entry> all() {
        return sql.query(ALL, row -> new Entry(row.getString(1), parse(row.getString(2)), row.getLong(3)));
    }

    public boolean any() {
        return sql.exists(ANY);
    }

    public boolean anyOwner() {
        return sql.exists(ANY_OWNER);
    }

    static boolean anyOwner(Connection connection) throws SQLException {
        return Sql.exists(connection, ANY_OWNER);
    }

    /** The role of a user, or null. It stays until the transaction of a caller who has locked the user ends. */
    static @Nullable Role of(Connection connection, String userId) throws SQLException {
        return Sql.first(Sql.query(connection, FIND, OperatorRoles::role, userId));
    }

    static void set(Connection connection, String userId, Role role, long now) throws SQLException {
        Sql.update(connection, SET, userId, role.code(), now);
    }

    /** The number of owners, who stay owners until the transaction of the caller ends. */
    static int holdOwners(Connection connection) throws SQLException {
        return Sql.update(connection, HOLD_OWNERS);
    }

    static void remove(Connection connection, String userId) throws SQLException {
        Sql.update(connection, REMOVE, userId);
    }

    private static Role role(ResultSet row) throws SQLException {
        return parse(row.getString(1));
    }

    static Role parse(String stored) {
        return Objects.requireNonNull(Role.of(stored), "the role of a newer release grants nothing");
    }
}
