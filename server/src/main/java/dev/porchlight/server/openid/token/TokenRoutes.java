// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.AccessGrants;
import dev.porchlight.server.openid.grant.AccessGrants.AccessGrant;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.storage.Units;

/** The token and revocation endpoints. */
public final class TokenRoutes {
    private final ClientEndpoints endpoints;
    private final Authorizations authorizations;
    private final OpenIdTokens tokens;
    private final AccessGrants access;
    private final TokenIssuer issuer;

    public TokenRoutes(
            ClientEndpoints endpoints,
            Authorizations authorizations,
            OpenIdTokens tokens,
            AccessGrants access,
            DpopProofs proofs,
            Groups groups,
            Units units) {
        this.endpoints = endpoints;
        this.authorizations = authorizations;
        this.tokens = tokens;
        this.access = access;
        this.issuer = new TokenIssuer(authorizations, tokens, proofs, groups, units);
    }

    public void mount(Router.Builder router) {
        endpoints.mount(router, TokenIssuer.PATH, Endpoint.TOKEN, issuer::issue);
        endpoints.mount(router, "/oauth2/revoke", Endpoint.REVOKE, this::revoke);
    }

    /** RFC 7009: ends the sign-in that the token belongs to. Unknown tokens are not an error. */
    private Response revoke(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        String token = parameters.required("token");
        Authorization refreshed = authorizations.peek(token);
        AccessGrant granted = refreshed == null ? access.find(tokens.accessToken(token)) : null;
        Authorization authorization = granted == null ? refreshed : granted.authorization();
        if (authorization != null && authorization.clientId().equals(client.id())) {
            authorizations.end(authorization.id());
        }
        return Response.of(200);
    }
}
