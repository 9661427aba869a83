// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.AccessTokens.Granted;
import dev.porchlight.server.openid.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.Refusal.Reason;
import java.util.Locale;

/** The userinfo endpoint: {@code /oauth2/userinfo}. */
final class UserinfoRoutes {
    private static final String PATH = "/oauth2/userinfo";

    private final OpenIdSwitch openId;
    private final ClientCors cors;
    private final AccessTokens tokens;
    private final DpopProofs proofs;
    private final Groups groups;
    private final OpenIdTelemetry telemetry;

    UserinfoRoutes(
            OpenIdSwitch openId,
            ClientCors cors,
            AccessTokens tokens,
            DpopProofs proofs,
            Groups groups,
            OpenIdTelemetry telemetry) {
        this.openId = openId;
        this.cors = cors;
        this.tokens = tokens;
        this.proofs = proofs;
        this.groups = groups;
        this.telemetry = telemetry;
    }

    void mount(Router.Builder router) {
        router.get(PATH, Access.OPENID_CLIENT, this::userinfo);
        router.post(PATH, Access.OPENID_CLIENT, this::userinfo);
        router.add(Method.OPTIONS, PATH, Access.OPENID_CLIENT, cors::preflight);
    }

    private Response userinfo(Exchange exchange) throws ProblemException {
        openId.require();
        String clientId = "";
        try {
            Granted granted = authorize(exchange);
            clientId = granted.client().id();
            Authorization authorization = granted.authorization();
            Client client = granted.client();
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
                            if (granted.displayName() != null) {
                                json.text("name", granted.displayName());
                            }
                        }
                        if (authorization.hasScope(OpenIdTokens.GROUPS)) {
                            json.texts(OpenIdTokens.GROUPS, groups.of(authorization.userId()));
                        }
                    })
                    .with("Cache-Control", "no-store");
        } catch (RefusedException e) {
            exchange.unauthenticated(exchange.header("Authorization") != null);
            cors.allowRefusal(exchange);
            telemetry.refused(exchange, Endpoint.USERINFO, clientId, "", e.refusal());
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
    private Granted authorize(Exchange exchange) throws RefusedException, ProblemException {
        String header = exchange.headers("Authorization").size() == 1 ? exchange.header("Authorization") : null;
        int space = header == null ? -1 : header.indexOf(' ');
        String scheme =
                header == null || space < 0 ? "" : header.substring(0, space).toLowerCase(Locale.ROOT);
        if (header == null || !scheme.equals("bearer") && !scheme.equals("dpop")) {
            throw invalid("an access token", "no access token");
        }
        String token = header.substring(space + 1).strip();
        Granted granted = tokens.find(token);
        if (granted == null) {
            throw invalid("a valid access token", "an invalid, expired or revoked one");
        }
        Authorization authorization = granted.authorization();
        exchange.authenticated(authorization.userId());
        String thumbprint = authorization.dpopThumbprint();
        if (thumbprint == null ? scheme.equals("dpop") : scheme.equals("bearer")) {
            throw invalid("the scheme of the token", scheme);
        }
        if (thumbprint != null) {
            proofs.verify(exchange, PATH, token, thumbprint);
        }
        return granted;
    }

    private static RefusedException invalid(String expected, String found) {
        return new RefusedException(Reason.INVALID_TOKEN.of("Authorization", expected, found));
    }
}
