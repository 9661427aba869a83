// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A registered passkey and its user's access.
 *
 * @param createdAt the time of registration in milliseconds since the epoch; null if unknown
 */
public record PasskeyAccess(
        String credentialId, String userId, @Nullable Long createdAt, UserAccess user) {
    private static final String SELECT = "SELECT c.credential_id, c.user_id, c.created_at, a.locked_at, a.generation"
            + " FROM passkey_credential AS c LEFT JOIN porchlight_user_access AS a ON a.user_id = c.user_id"
            + " WHERE c.credential_id ";
    private static final String ONE = SELECT + "= ?";
    /** For PostgreSQL, which accepts several keys as an array. */
    private static final String ALL = SELECT + "= ANY (?)";

    public static @Nullable PasskeyAccess read(Connection connection, String credentialId) throws SQLException {
        return Sql.first(Sql.query(connection, ONE, PasskeyAccess::read, credentialId));
    }

    public static @Nullable PasskeyAccess read(Sql sql, String credentialId) {
        return Sql.first(sql.query(ONE, PasskeyAccess::read, credentialId));
    }

    static Map<String, PasskeyAccess> readAll(Sql sql, Collection<String> credentialIds) {
        return sql.query(ALL, PasskeyAccess::read, (Object) credentialIds.toArray(new String[0])).stream()
                .collect(Collectors.toMap(PasskeyAccess::credentialId, found -> found));
    }

    private static PasskeyAccess read(ResultSet row) throws SQLException {
        UserAccess user = new UserAccess(row.getObject(4) != null, row.getLong(5));
        return new PasskeyAccess(row.getString(1), row.getString(2), Sql.optionalLong(row, 3), user);
    }
}
