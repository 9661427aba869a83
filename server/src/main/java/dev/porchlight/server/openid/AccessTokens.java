// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.openid.Authorizations.Found;
import dev.porchlight.server.openid.OpenIdTokens.AccessToken;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an access token grants. Nothing that ends access is cached: the signing key, the authorization and the client are
 * read in one query, the passkey and its user in another. Thread-safe.
 */
final class AccessTokens {
    private static final String FIND = "SELECT " + Authorizations.COLUMNS + ", " + Clients.COLUMNS
            + ", " + SqlUsers.DISPLAY_NAME
            + " FROM porchlight_openid_authorization JOIN porchlight_client USING (client_id)"
            + " WHERE authorization_id = ? AND EXISTS (SELECT 1 FROM porchlight_signing_key WHERE kid = ?)";

    private static final int FIRST_OF_CLIENT = 8;
    private static final int DISPLAY_NAME = 13;

    private final OpenIdTokens tokens;
    private final Authorizations authorizations;
    private final Sql sql;

    AccessTokens(OpenIdTokens tokens, Authorizations authorizations, Sql sql) {
        this.tokens = tokens;
        this.authorizations = authorizations;
        this.sql = sql;
    }

    /**
     * What a token grants.
     *
     * @param displayName of the user, or null
     */
    record Granted(
            Authorization authorization,
            Client client,
            @Nullable String displayName) {}

    private record Joined(
            Found found, Client client, @Nullable String displayName) {}

    /** The access of a token; null if it is invalid, has expired, or its sign-in has ended. */
    @Nullable
    Granted find(String text) {
        AccessToken token = tokens.accessToken(text);
        Joined row = token == null
                ? null
                : Sql.first(sql.query(FIND, this::read, token.userId(), token.authorization(), token.keyId()));
        Authorization authorization = row == null ? null : authorizations.live(row.found());
        return row == null || authorization == null
                ? null
                : new Granted(authorization, row.client(), row.displayName());
    }

    private Joined read(ResultSet row) throws SQLException {
        return new Joined(authorizations.read(row), Clients.read(row, FIRST_OF_CLIENT), row.getString(DISPLAY_NAME));
    }
}
