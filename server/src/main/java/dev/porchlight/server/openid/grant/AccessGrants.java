// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.grant;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.Authorizations.Entry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an access token grants. Nothing that ends access is cached: the signing key, the authorization and the client are
 * read in one query, the passkey and its user in another. Thread-safe.
 */
public final class AccessGrants {
    private static final String FIND = "SELECT " + Authorizations.COLUMNS + ", " + Clients.COLUMNS
            + ", " + SqlUsers.DISPLAY_NAME
            + " FROM porchlight_openid_authorization JOIN porchlight_client USING (client_id)"
            + " WHERE authorization_id = ? AND EXISTS (SELECT 1 FROM porchlight_signing_key WHERE kid = ?)";

    private static final int FIRST_OF_CLIENT = 8;
    private static final int DISPLAY_NAME = 13;

    private final Authorizations authorizations;

    public AccessGrants(Authorizations authorizations) {
        this.authorizations = authorizations;
    }

    /** The claims of an access token with a valid signature. */
    public record Claims(String keyId, String authorization, String userId, Instant expiresAt) {}

    /**
     * What a token grants.
     *
     * @param displayName of the user, or null
     */
    public record AccessGrant(
            Authorization authorization,
            Client client,
            @Nullable String displayName) {}

    private record Row(Entry entry, Client client, @Nullable String displayName) {}

    /** The access of a token; null if there is none, or its sign-in has ended. */
    public @Nullable AccessGrant find(@Nullable Claims token) {
        Row row = token == null
                ? null
                : Sql.first(authorizations.sql.query(
                        FIND, this::read, token.userId(), token.authorization(), token.keyId()));
        Authorization authorization = row == null ? null : authorizations.live(row.entry());
        return row == null || authorization == null
                ? null
                : new AccessGrant(authorization, row.client(), row.displayName());
    }

    private Row read(ResultSet row) throws SQLException {
        return new Row(authorizations.read(row), Clients.read(row, FIRST_OF_CLIENT), row.getString(DISPLAY_NAME));
    }
}
