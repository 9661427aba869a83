// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import dev.porchlight.base.JsonTree;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.grant.Authorizations.AccessGrant;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The userinfo endpoint: {@code /oauth2/userinfo}. */
public final class UserinfoRoutes {
    private static final String PATH = "/oauth2/userinfo";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String BEARER = "bearer";
    private static final String DPOP = "dpop";

    private final ClientEndpoints endpoints;
    private final OpenIdTokens tokens;
    private final Authorizations authorizations;
    private final DpopProofs proofs;
    private final Groups groups;
    private final UserClaims users;

    public UserinfoRoutes(
            ClientEndpoints endpoints,
            OpenIdTokens tokens,
            Authorizations authorizations,
            DpopProofs proofs,
            Groups groups,
            UserClaims users) {
        this.endpoints = endpoints;
        this.tokens = tokens;
        this.authorizations = authorizations;
        this.proofs = proofs;
        this.groups = groups;
        this.users = users;
    }

    public void mount(Router.Builder router) {
        router.get(PATH, Access.OPENID_USERINFO, this::userinfo);
        router.post(PATH, Access.OPENID_USERINFO, this::userinfo);
        endpoints.mountPreflight(router, PATH);
    }

    private Response userinfo(Exchange exchange) throws ProblemException, IOException {
        endpoints.requireClients();
        Credentials given = Credentials.of(exchange);
        AccessGrant granted = authorizations.access(tokens.accessToken(given.token()));
        String clientId = granted == null ? "" : granted.client().id();
        try {
            if (granted == null) {
                throw invalid(
                        "a valid access token",
                        given.token().isEmpty() ? "no access token" : "an invalid, expired or revoked one");
            }
            authorize(exchange, given, granted);
            Authorization authorization = granted.authorization();
            Client client = granted.client();
            Refusal ended = authorization.refusal(client);
            if (ended != null) {
                throw invalid(ended.expected(), ended.found());
            }
            Refusal outside = groups.refusal(client, authorization.userId(), Reason.INVALID_TOKEN);
            if (outside != null) {
                throw new RefusedException(outside);
            }
            endpoints.allowPage(exchange, client);
            endpoints.telemetry().succeeded(exchange, Endpoint.USERINFO, client.id());
            Map<String, Object> user = new LinkedHashMap<>(Map.of("sub", authorization.subject()));
            UserClaims.Known known = users.of(client, authorization, granted.displayName());
            user.putAll(known.claims());
            if (authorization.hasScope(OpenIdTokens.GROUPS)) {
                user.put(OpenIdTokens.GROUPS, known.groups());
            }
            return Response.json(200, JsonTree.write(user)).with("Cache-Control", "no-store");
        } catch (RefusedException e) {
            exchange.unauthenticated(!given.token().isEmpty() || exchange.header("Authorization") != null);
            endpoints.allowAnyPage(exchange);
            String supportCode = endpoints.telemetry().refused(exchange, Endpoint.USERINFO, clientId, "", e.refusal());
            return e.refusal()
                    .response(401, supportCode)
                    .with(
                            "WWW-Authenticate",
                            challenge(exchange, given, granted, e.refusal().reason()));
        }
    }

    /** The scheme, in lower case, and the token of a request; both empty if it has none, or two. */
    private record Credentials(String scheme, String token) {
        private static Credentials of(Exchange exchange) throws ProblemException, IOException {
            List<String> headers = exchange.headers("Authorization");
            String inForm = inForm(exchange);
            if (inForm != null) {
                return headers.isEmpty() ? new Credentials(BEARER, inForm) : new Credentials("", "");
            }
            String[] parts = headers.size() == 1 ? headers.get(0).split(" ", 2) : new String[0];
            String scheme = parts.length < 2 ? "" : parts[0].toLowerCase(Locale.ROOT);
            return scheme.equals(BEARER) || scheme.equals(DPOP)
                    ? new Credentials(scheme, parts[1].strip())
                    : new Credentials("", "");
        }

        /** The token in a form (RFC 6750, section 2.2), or null. */
        private static @Nullable String inForm(Exchange exchange) throws ProblemException, IOException {
            String type = exchange.header("Content-Type");
            if (!exchange.method().equals("POST") || type == null || !type.startsWith(FORM)) {
                return null;
            }
            try {
                return Parameters.parse(exchange.formText()).single("access_token");
            } catch (RefusedException e) {
                return "";
            }
        }
    }

    /** Counts the request for the user before its proof is stored. */
    private void authorize(Exchange exchange, Credentials given, AccessGrant granted)
            throws RefusedException, ProblemException {
        exchange.authenticated(granted.authorization().userId());
        String thumbprint = granted.thumbprint();
        String expected = thumbprint == null ? BEARER : DPOP;
        if (!given.scheme().equals(expected)) {
            throw invalid("the scheme " + expected, given.scheme());
        }
        if (thumbprint != null) {
            proofs.verify(exchange, PATH, given.token(), thumbprint);
        }
    }

    /**
     * The challenge of a refusal, by RFC 6750, section 3, and RFC 9449, section 7.1: with the scheme that the token needs, or
     * else the one that was used; without a token, both schemes and no error.
     */
    private static String challenge(
            Exchange exchange, Credentials given, @Nullable AccessGrant granted, Reason reason) {
        String algorithms = "algs=\"" + DpopProofs.ALGORITHM_NAMES + '"';
        if (given.token().isEmpty()) {
            return "Bearer, DPoP " + algorithms;
        }
        boolean bound = granted == null
                ? given.scheme().equals(DPOP) || exchange.header(DpopProofs.HEADER) != null
                : granted.thumbprint() != null;
        String error = "error=\"" + reason.oauthCode() + "\", error_description=\"" + reason.sentence() + '"';
        return bound ? "DPoP " + error + ", " + algorithms : "Bearer " + error;
    }

    private static RefusedException invalid(String expected, String found) {
        return Reason.INVALID_TOKEN.refused("Authorization", expected, found);
    }
}
