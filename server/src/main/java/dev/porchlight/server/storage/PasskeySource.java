// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The browser that registered a passkey, in the table {@code porchlight_passkey_source}. */
public final class PasskeySource {
    private static final int MAX_USER_AGENT = 200;
    private static final String REMOVE = "DELETE FROM porchlight_passkey_source WHERE credential_id = ?";
    private static final String ADD = "INSERT INTO porchlight_passkey_source (credential_id, user_agent) VALUES (?, ?)";
    private static final String FIND =
            "SELECT credential_id, user_agent FROM porchlight_passkey_source WHERE credential_id IN (";

    private PasskeySource() {}

    /** Records the browser that registered a passkey, in the transaction of the registration. */
    public static void add(Connection connection, String credentialId, String userAgent) throws SQLException {
        remove(connection, credentialId); // left over if the passkey's row was deleted by hand
        if (!userAgent.isEmpty()) {
            String start = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT));
            Sql.update(connection, ADD, credentialId, start);
        }
    }

    public static void remove(Connection connection, String credentialId) throws SQLException {
        Sql.update(connection, REMOVE, credentialId);
    }

    public static Map<String, String> of(Sql sql, List<CredentialRecord> passkeys) {
        String marks = String.join(", ", Collections.nCopies(passkeys.size(), "?"));
        Object[] ids = passkeys.stream().map(CredentialRecord::credentialId).toArray();
        return passkeys.isEmpty()
                ? Map.of()
                : sql.query(FIND + marks + ")", row -> Map.entry(row.getString(1), row.getString(2)), ids).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
