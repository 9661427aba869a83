// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** The applications of OpenID Connect that users have agreed to, in the table {@code porchlight_openid_consent}. Thread-safe. */
public final class Consents {
    private static final String OF_USER = "SELECT c.client_id, c.name, a.scopes, a.agreed_at"
            + " FROM porchlight_openid_consent AS a JOIN porchlight_client AS c ON c.client_id = a.client_id"
            + " WHERE a.user_id = ? ORDER BY c.name";
    private static final String REMOVE = "DELETE FROM porchlight_openid_consent WHERE user_id = ? AND client_id = ?";
    private static final String ADD =
            "INSERT INTO porchlight_openid_consent (user_id, client_id, scopes, agreed_at) VALUES (?, ?, ?, ?)"
                    + " ON CONFLICT (user_id, client_id) DO UPDATE SET scopes = excluded.scopes,"
                    + " agreed_at = excluded.agreed_at";

    private final Sql sql;

    public Consents(Sql sql) {
        this.sql = sql;
    }

    /** Whether the user has agreed to a client with all of these scopes. */
    public boolean has(String userId, String clientId, List<String> scopes) {
        String find = "SELECT scopes FROM porchlight_openid_consent WHERE user_id = ? AND client_id = ?";
        return covers(sql.query(find, row -> row.getString(1), userId, clientId), scopes);
    }

    /** The same within a transaction of the caller. It stays so until the transaction ends. */
    public static boolean holds(Connection connection, String userId, String clientId, List<String> scopes)
            throws SQLException {
        String lock = "UPDATE porchlight_openid_consent SET agreed_at = agreed_at"
                + " WHERE user_id = ? AND client_id = ? RETURNING scopes";
        return covers(Sql.query(connection, lock, row -> row.getString(1), userId, clientId), scopes);
    }

    private static boolean covers(List<String> agreed, List<String> scopes) {
        return agreed.stream().anyMatch(it -> Arrays.asList(it.split(" ", -1)).containsAll(scopes));
    }

    /** An application that a user has agreed to. */
    public record Consent(String clientId, String clientName, List<String> scopes, long agreedAt) {}

    /** The applications that the user has agreed to, by name. */
    public List<Consent> of(String userId) {
        return sql.query(
                OF_USER,
                row -> new Consent(
                        row.getString(1),
                        row.getString(2),
                        List.of(row.getString(3).split(" ", -1)),
                        row.getLong(4)),
                userId);
    }

    /** Forgets that the user agreed, within a transaction of the caller; false if they had not. */
    public static boolean remove(Connection connection, String userId, String clientId) throws SQLException {
        return Sql.update(connection, REMOVE, userId, clientId) == 1;
    }

    /** Forgets what a user agreed to, within a transaction of the caller. */
    static void forgetUser(Connection connection, String userId) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_openid_consent WHERE user_id = ?", userId);
    }

    /** Forgets who agreed to a client, within a transaction of the caller. */
    public static void forgetClient(Connection connection, String clientId) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_openid_consent WHERE client_id = ?", clientId);
    }

    /** Remembers that the user agreed, within a transaction of the caller. */
    public static void add(Connection connection, String userId, String clientId, List<String> scopes, long now)
            throws SQLException {
        Sql.update(connection, ADD, userId, clientId, String.join(" ", scopes), now);
    }
}
