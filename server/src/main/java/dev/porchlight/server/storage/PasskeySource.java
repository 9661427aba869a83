// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;

/** The browser that registered a passkey, in the table {@code porchlight_passkey_source}. */
public final class PasskeySource {
    private static final int MAX_USER_AGENT = 200;
    private static final String REMOVE = "DELETE FROM porchlight_passkey_source WHERE credential_id = ?";
    private static final String ADD = "INSERT INTO porchlight_passkey_source (credential_id, user_agent) VALUES (?, ?)";
    private static final String OF_USER = "SELECT s.credential_id, s.user_agent FROM passkey_credential AS c"
            + " JOIN porchlight_passkey_source AS s ON s.credential_id = c.credential_id WHERE c.user_id = ?";

    private PasskeySource() {}

    /** Records the browser that registered a passkey, in the transaction of the registration. */
    public static void add(Connection connection, String credentialId, String userAgent) throws SQLException {
        remove(connection, credentialId); // left over if the passkey's row was deleted by hand
        if (!userAgent.isEmpty()) {
            String start = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT));
            Sql.update(connection, ADD, credentialId, start);
        }
    }

    /** Removes the row of a passkey, in the transaction of its removal. */
    public static void remove(Connection connection, String credentialId) throws SQLException {
        Sql.update(connection, REMOVE, credentialId);
    }

    /** The user agents, by credential id. */
    public static Map<String, String> ofUser(Sql sql, String userId) {
        return sql.query(OF_USER, row -> Map.entry(row.getString(1), row.getString(2)), userId).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
