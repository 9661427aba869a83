// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of authorizations. All columns are sealed with the content, so a row that was changed in the database does not open. */
final class AuthorizationRows {
    /** In the order that {@link #read} reads them. */
    static final String COLUMNS = "authorization_id, client_id, session, sealed, step, expires_at, owner";

    private static final String ADD = "INSERT INTO porchlight_openid_authorization"
            + " (authorization_id, client_id, session, owner, sealed, step, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)";
    private static final String FIND =
            "SELECT " + COLUMNS + " FROM porchlight_openid_authorization WHERE authorization_id = ?";
    static final String FROM_WITH_CLIENT =
            " FROM porchlight_openid_authorization JOIN porchlight_client USING (client_id) WHERE authorization_id = ?";
    private static final String FIND_WITH_CLIENT = "SELECT " + COLUMNS + ", " + Clients.COLUMNS + FROM_WITH_CLIENT;
    static final int FIRST_OF_CLIENT = 8;
    private static final String ADVANCE =
            "UPDATE porchlight_openid_authorization SET step = step + 1, expires_at = ?, sealed = ?, owner = ?"
                    + " WHERE authorization_id = ? AND step = ? AND expires_at > ?";
    static final String END = "DELETE FROM porchlight_openid_authorization WHERE ";
    static final String REMOVE = END + "authorization_id = ?";

    private final Sealer sealer;
    private final AuthorizationTokens tokens;

    AuthorizationRows(Sealer sealer, AuthorizationTokens tokens) {
        this.sealer = sealer;
        this.tokens = tokens;
    }

    /** A row that opens. */
    record Row(Authorization authorization, int step, long expiresAt) {}

    /** A stored authorization with its id; the content is null if it was sealed with another secret, or changed. */
    record Entry(String id, @Nullable Row row) {}

    /** A row that may not open, with the client, which may have changed since it was authenticated. */
    record Held(@Nullable Row row, Client client) {}

    void add(Connection connection, Authorization it, int step, long expiresAt) throws SQLException {
        String sealed = seal(it, step, expiresAt);
        Sql.update(connection, ADD, it.id(), it.clientId(), it.session(), owner(it), sealed, step, expiresAt);
    }

    /** The row with this id; null if there is none, or it does not open. */
    @Nullable
    Row find(Sql sql, String id) {
        return only(sql.query(FIND, this::read, id));
    }

    @Nullable
    Row find(Connection connection, String id) throws SQLException {
        return only(Sql.query(connection, FIND, this::read, id));
    }

    @Nullable
    Held findWithClient(Connection connection, String id) throws SQLException {
        return Sql.first(Sql.query(connection, FIND_WITH_CLIENT, this::readWithClient, id));
    }

    private Held readWithClient(ResultSet row) throws SQLException {
        return new Held(read(row).row(), Clients.read(row, FIRST_OF_CLIENT));
    }

    private static @Nullable Row only(List<Entry> rows) {
        return rows.isEmpty() ? null : rows.get(0).row();
    }

    /** Moves a row from this step to the next; false if it is no longer at it, or has expired. */
    boolean advance(Connection connection, Authorization it, int step, long expiresAt, long now) throws SQLException {
        String sealed = seal(it, step + 1, expiresAt);
        return Sql.update(connection, ADVANCE, expiresAt, sealed, owner(it), it.id(), step, now) == 1;
    }

    static void remove(Connection connection, String id) throws SQLException {
        Sql.update(connection, REMOVE, id);
    }

    private String seal(Authorization it, int step, long expiresAt) {
        return sealer.seal(it.toJson(), place(it.id(), it.clientId(), it.session(), owner(it), step, expiresAt));
    }

    private String owner(Authorization authorization) {
        return tokens.owners(authorization.userId()).get(0);
    }

    /** The associated data of a row, which prevents moving it, extending it or turning back its step. */
    private static String place(String id, String clientId, String session, String owner, int step, long expiresAt) {
        return "openid grant " + String.join(" ", id, clientId, session, owner) + ' ' + step + ' ' + expiresAt;
    }

    Entry read(ResultSet row) throws SQLException {
        String id = row.getString(1);
        String clientId = row.getString(2);
        String session = row.getString(3);
        int step = row.getInt(5);
        long expiresAt = row.getLong(6);
        String content = sealer.open(row.getString(4), place(id, clientId, session, row.getString(7), step, expiresAt));
        try {
            Authorization it = content == null ? null : Authorization.parse(id, clientId, session, content);
            return new Entry(id, it == null ? null : new Row(it, step, expiresAt));
        } catch (MalformedException e) {
            throw new SQLException("authorization " + id + " is damaged", e);
        }
    }
}
