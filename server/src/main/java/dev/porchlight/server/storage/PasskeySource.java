// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a passkey came from, in the table {@code porchlight_passkey_source}.
 *
 * @param userAgent the browser that registered it; empty if that is unknown
 * @param importedAt when it was imported, in milliseconds since 1970; null for a registered one
 */
public record PasskeySource(String userAgent, @Nullable Long importedAt) {
    /** A passkey without a row. */
    public static final PasskeySource UNKNOWN = new PasskeySource("", null);

    private static final int MAX_USER_AGENT = 200;
    private static final String REMOVE = "DELETE FROM porchlight_passkey_source WHERE credential_id = ?";
    private static final String ADD = "INSERT INTO porchlight_passkey_source (credential_id, user_agent) VALUES (?, ?)";
    /** Replaces a row that is left over if the passkey's row was deleted by hand. */
    private static final String IMPORT =
            "INSERT INTO porchlight_passkey_source (credential_id, user_agent, imported_at)"
                    + " VALUES %s ON CONFLICT (credential_id) DO UPDATE SET user_agent = '', imported_at = 0";

    private static final String FINISH_IMPORT =
            "UPDATE porchlight_passkey_source SET imported_at = ? WHERE imported_at = 0";
    private static final String FIND =
            "SELECT credential_id, user_agent, imported_at FROM porchlight_passkey_source WHERE credential_id IN (";

    /** Records the browser that registered a passkey, in the transaction of the registration. */
    public static void add(Connection connection, String credentialId, String userAgent) throws SQLException {
        remove(connection, credentialId); // left over if the passkey's row was deleted by hand
        if (!userAgent.isEmpty()) {
            String start = userAgent.substring(0, Math.min(userAgent.length(), MAX_USER_AGENT));
            Sql.update(connection, ADD, credentialId, start);
        }
    }

    /** Records that passkeys are imported, in the transaction of the import, which sets the time at its end. */
    public static void addImported(Connection connection, Collection<String> credentialIds) throws SQLException {
        if (!credentialIds.isEmpty()) {
            String rows = String.join(", ", Collections.nCopies(credentialIds.size(), "(?, '', 0)"));
            Sql.update(connection, IMPORT.formatted(rows), credentialIds.toArray());
        }
    }

    /** Sets the time of an import. A sign-in before that may not have shown its passkeys. */
    public static void finishImport(Connection connection, long now) throws SQLException {
        Sql.update(connection, FINISH_IMPORT, now);
    }

    public static void remove(Connection connection, String credentialId) throws SQLException {
        Sql.update(connection, REMOVE, credentialId);
    }

    /** Where these passkeys came from, as far as it is known, by credential id. */
    public static Map<String, PasskeySource> of(Sql sql, List<CredentialRecord> passkeys) {
        String marks = Sql.marks(passkeys.size());
        Object[] ids = passkeys.stream().map(CredentialRecord::credentialId).toArray();
        return passkeys.isEmpty()
                ? Map.of()
                : sql.query(FIND + marks + ")", row -> Map.entry(row.getString(1), read(row)), ids).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static PasskeySource read(ResultSet row) throws SQLException {
        return new PasskeySource(row.getString(2), Sql.optionalLong(row, 3));
    }

    /** Writes what is known as members of a passkey. */
    public void write(JsonWriter json) {
        json.optionalText("userAgent", userAgent.isEmpty() ? null : userAgent).optionalNumber("importedAt", importedAt);
    }
}
