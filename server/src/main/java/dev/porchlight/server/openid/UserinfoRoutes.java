// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.Refusal.Reason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The userinfo endpoint: {@code /oauth2/userinfo}. */
final class UserinfoRoutes {
    private static final String PATH = "/oauth2/userinfo";

    private final OpenIdSwitch openId;
    private final Clients clients;
    private final ClientCors cors;
    private final Authorizations authorizations;
    private final OpenIdTokens tokens;
    private final DpopProofs proofs;
    private final Groups groups;
    private final Sql sql;
    private final OpenIdTelemetry telemetry;

    UserinfoRoutes(
            OpenIdSwitch openId,
            Clients clients,
            ClientCors cors,
            Authorizations authorizations,
            OpenIdTokens tokens,
            DpopProofs proofs,
            Groups groups,
            Sql sql,
            OpenIdTelemetry telemetry) {
        this.openId = openId;
        this.clients = clients;
        this.cors = cors;
        this.authorizations = authorizations;
        this.tokens = tokens;
        this.proofs = proofs;
        this.groups = groups;
        this.sql = sql;
        this.telemetry = telemetry;
    }

    void mount(Router.Builder router) {
        router.get(PATH, Access.OPENID_CLIENT, this::userinfo);
        router.post(PATH, Access.OPENID_CLIENT, this::userinfo);
        router.add(Method.OPTIONS, PATH, Access.OPENID_CLIENT, cors::preflight);
    }

    private Response userinfo(Exchange exchange) throws ProblemException {
        openId.require();
        try {
            Authorization authorization = authorize(exchange);
            Client client = clients.find(authorization.clientId());
            if (client == null) {
                throw invalid("a token of a registered client", "a token of a removed client");
            }
            if (!RedirectUri.isRegistered(client, authorization.redirectUri())) {
                throw invalid("a sign-in at a registered redirect URI", authorization.redirectUri());
            }
            Refusal outside = groups.refusal(client, authorization.userId(), Reason.INVALID_TOKEN);
            if (outside != null) {
                throw new RefusedException(outside);
            }
            cors.allow(exchange, client);
            telemetry.succeeded(exchange, Endpoint.USERINFO, client.id());
            return Response.json(200, json -> {
                        json.text("sub", authorization.userId());
                        if (authorization.hasScope("profile")) {
                            json.text("preferred_username", authorization.userId());
                            String name = displayName(authorization.userId());
                            if (name != null) {
                                json.text("name", name);
                            }
                        }
                        if (authorization.hasScope(OpenIdTokens.GROUPS)) {
                            json.texts(OpenIdTokens.GROUPS, groups.of(authorization.userId()));
                        }
                    })
                    .with("Cache-Control", "no-store");
        } catch (RefusedException e) {
            exchange.unauthenticated(exchange.header("Authorization") != null);
            telemetry.refused(exchange, Endpoint.USERINFO, "", "", e.refusal());
            String code = e.refusal().reason().error().getCode();
            String sentence = e.refusal().reason().sentence();
            return Response.json(
                            401,
                            json -> json.text("error", code)
                                    .text("error_description", sentence)
                                    .text("code", e.refusal().reason().code()))
                    .with("WWW-Authenticate", "Bearer error=\"" + code + "\", error_description=\"" + sentence + "\"")
                    .with("Cache-Control", "no-store");
        }
    }

    /** Counts the request for the user before its proof is stored. */
    private Authorization authorize(Exchange exchange) throws RefusedException, ProblemException {
        String header = exchange.headers("Authorization").size() == 1 ? exchange.header("Authorization") : null;
        int space = header == null ? -1 : header.indexOf(' ');
        String scheme =
                header == null || space < 0 ? "" : header.substring(0, space).toLowerCase(Locale.ROOT);
        if (header == null || !scheme.equals("bearer") && !scheme.equals("dpop")) {
            throw invalid("an access token", "no access token");
        }
        String token = header.substring(space + 1).strip();
        String id = tokens.authorizationOf(token);
        Authorization authorization = id == null ? null : authorizations.find(id);
        if (authorization == null) {
            throw invalid("a valid access token", "an invalid, expired or revoked one");
        }
        exchange.authenticated(authorization.userId());
        String thumbprint = authorization.dpopThumbprint();
        if (thumbprint == null ? scheme.equals("dpop") : scheme.equals("bearer")) {
            throw invalid("the scheme of the token", scheme);
        }
        if (thumbprint != null) {
            proofs.verify(exchange, PATH, token, thumbprint);
        }
        return authorization;
    }

    private @Nullable String displayName(String userId) {
        return Sql.first(sql.query(
                "SELECT display_name FROM passkey_user WHERE user_id = ? AND display_name IS NOT NULL",
                row -> row.getString(1),
                userId));
    }

    private static RefusedException invalid(String expected, String found) {
        return new RefusedException(Reason.INVALID_TOKEN.of("Authorization", expected, found));
    }
}
