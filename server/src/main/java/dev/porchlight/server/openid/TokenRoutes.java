// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.AuthorizationRequests.Target;
import dev.porchlight.server.openid.Authorizations.Redeemed;
import dev.porchlight.server.openid.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.Refusal.Reason;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The endpoints that clients call themselves: token, revocation, pushed authorization requests. */
final class TokenRoutes {
    private final OpenIdSwitch openId;
    private final ClientAuthenticator authenticator;
    private final ClientCors cors;
    private final AuthorizationRequests requests;
    private final Authorizations authorizations;
    private final OpenIdTokens tokens;
    private final DpopProofs proofs;
    private final Groups groups;
    private final Units units;
    private final OpenIdTelemetry telemetry;
    private final String issuer;

    TokenRoutes(
            OpenIdSwitch openId,
            ClientAuthenticator authenticator,
            ClientCors cors,
            AuthorizationRequests requests,
            Authorizations authorizations,
            OpenIdTokens tokens,
            DpopProofs proofs,
            Groups groups,
            Units units,
            OpenIdTelemetry telemetry,
            String issuer) {
        this.openId = openId;
        this.authenticator = authenticator;
        this.cors = cors;
        this.requests = requests;
        this.authorizations = authorizations;
        this.tokens = tokens;
        this.proofs = proofs;
        this.groups = groups;
        this.units = units;
        this.telemetry = telemetry;
        this.issuer = issuer;
    }

    void mount(Router.Builder router) {
        mount(router, "/oauth2/token", Endpoint.TOKEN, this::token);
        mount(router, "/oauth2/revoke", Endpoint.REVOKE, this::revoke);
        mount(router, "/oauth2/par", Endpoint.PAR, this::push);
    }

    /** Handles a request of an authenticated client. */
    @FunctionalInterface
    private interface ClientHandler {
        Response handle(Exchange exchange, Client client, Parameters parameters)
                throws RefusedException, ProblemException;
    }

    private void mount(Router.Builder router, String path, Endpoint endpoint, ClientHandler handler) {
        router.post(path, Access.OPENID_CLIENT, exchange -> handle(exchange, path, endpoint, handler));
        router.add(Method.OPTIONS, path, Access.OPENID_CLIENT, cors::preflight);
    }

    private Response handle(Exchange exchange, String path, Endpoint endpoint, ClientHandler handler)
            throws ProblemException, IOException {
        openId.require();
        String clientId = "";
        boolean authenticated = false;
        try {
            String form = exchange.formText();
            Parameters parameters = Parameters.parse(form);
            String claimed = parameters.get("client_id");
            clientId = claimed == null ? "" : claimed;
            if (!parameters.repeated().isEmpty()) {
                String name = parameters.repeated().iterator().next();
                throw new RefusedException(Reason.REPEATED_PARAMETER.of(name, "one value", "several values"));
            }
            Client client = authenticator.authenticate(httpRequest(exchange, path, form), parameters);
            clientId = client.id();
            authenticated = !client.isPublic();
            cors.allow(exchange, client);
            if (!authenticated && endpoint != Endpoint.TOKEN) {
                exchange.unauthenticated(false); // anyone can name a public client
            }
            Response response = handler.handle(exchange, client, parameters);
            telemetry.succeeded(exchange, endpoint, client.id());
            return response.with("Cache-Control", "no-store");
        } catch (RefusedException e) {
            Refusal refusal = e.refusal();
            if (!authenticated) {
                exchange.unauthenticated(true); // guesses are limited by address
            }
            telemetry.refused(exchange, endpoint, clientId, "", refusal);
            return error(refusal, exchange.header("Authorization") != null);
        }
    }

    private Response token(Exchange exchange, Client client, Parameters parameters)
            throws RefusedException, ProblemException {
        String grantType = parameters.get("grant_type");
        if ("authorization_code".equals(grantType)) {
            String code = genuine(parameters, "code", Reason.INVALID_CODE);
            String thumbprint = thumbprint(exchange);
            return redeem(client, code, true, thumbprint, (connection, it) -> codeRefusal(it, client, parameters));
        }
        if ("refresh_token".equals(grantType)) {
            String token = genuine(parameters, "refresh_token", Reason.INVALID_REFRESH_TOKEN);
            String thumbprint = thumbprint(exchange);
            return redeem(client, token, false, thumbprint, (connection, it) -> clientRefusal(it, client));
        }
        throw new RefusedException(Reason.UNSUPPORTED_GRANT_TYPE.of(
                "grant_type", "authorization_code or refresh_token", grantType == null ? "nothing" : grantType));
    }

    /** Refuses forged tokens before anything is stored for the request. */
    private String genuine(Parameters parameters, String name, Reason reason) throws RefusedException {
        String token = required(parameters, name);
        if (!authorizations.isGenuine(token)) {
            throw new RefusedException(reason.refusal());
        }
        return token;
    }

    private @Nullable String thumbprint(Exchange exchange) throws RefusedException {
        return proofs.thumbprint(exchange.headers(DpopProofs.HEADER), "/oauth2/token");
    }

    private Response redeem(
            Client client, String token, boolean code, @Nullable String thumbprint, Authorizations.Check check)
            throws RefusedException {
        Authorizations.Check all = (connection, authorization) -> {
            Refusal refusal = check.refusal(connection, authorization);
            if (refusal == null && !isBoundTo(authorization, thumbprint)) {
                return Reason.INVALID_DPOP_PROOF.of("DPoP", "a proof with the key of the sign-in", "another key");
            }
            return refusal == null && leftGroups(connection, client, authorization)
                    ? Reason.LEFT_GROUP.of(
                            "groups",
                            "a member of "
                                    + String.join(" or ", client.settings().groups()),
                            "not a member")
                    : refusal;
        };
        Redeemed redeemed = units.commit("redeem a token", new Unit<Redeemed>() {
            @Override
            public Redeemed write(Connection connection) throws SQLException {
                return authorizations.redeem(
                        connection, token, code, client.settings().refreshLifetime(), thumbprint, all);
            }
        });
        Authorization authorization = redeemed.authorization();
        if (redeemed.refusal() != null) {
            throw new RefusedException(redeemed.refusal());
        }
        Objects.requireNonNull(authorization);
        List<String> memberOf =
                authorization.hasScope(OpenIdTokens.GROUPS) ? groups.of(authorization.userId()) : List.of();
        return Response.json(
                200,
                json -> json.text("access_token", tokens.accessToken(client, authorization, memberOf))
                        .text("token_type", authorization.dpopThumbprint() == null ? "Bearer" : "DPoP")
                        .number("expires_in", tokens.lifetime().toSeconds())
                        .text("refresh_token", redeemed.refreshToken())
                        .text(
                                "id_token",
                                tokens.idToken(client, authorization, memberOf, code ? authorization.nonce() : null))
                        .text("scope", String.join(" ", authorization.scopes())));
    }

    /** Whether the user was a member of the client's groups at the sign-in, and no longer is. */
    private static boolean leftGroups(Connection connection, Client client, Authorization authorization)
            throws SQLException {
        return !client.settings().groups().isEmpty() && !client.admits(Groups.of(connection, authorization.userId()));
    }

    /** A sign-in that is bound to a key needs a proof of it with every token request. */
    private static boolean isBoundTo(Authorization authorization, @Nullable String thumbprint) {
        return authorization.dpopThumbprint() == null
                || authorization.dpopThumbprint().equals(thumbprint);
    }

    private static @Nullable Refusal codeRefusal(Authorization authorization, Client client, Parameters parameters) {
        if (!authorization.clientId().equals(client.id())) {
            return Reason.CODE_CLIENT_MISMATCH.of("code", "a code for " + client.id(), "a code for another client");
        }
        String redirectUri = parameters.get("redirect_uri");
        if (!authorization.redirectUri().equals(redirectUri)) {
            return Reason.CODE_REDIRECT_MISMATCH.of(
                    "redirect_uri", authorization.redirectUri(), redirectUri == null ? "nothing" : redirectUri);
        }
        String verifier = parameters.get("code_verifier");
        return verifier != null && matches(authorization.codeChallenge(), verifier)
                ? null
                : Reason.PKCE_MISMATCH.of(
                        "code_verifier",
                        "the verifier of the code challenge",
                        verifier == null ? "nothing" : "another");
    }

    private static @Nullable Refusal clientRefusal(Authorization authorization, Client client) {
        return authorization.clientId().equals(client.id())
                ? null
                : Reason.CODE_CLIENT_MISMATCH.of(
                        "refresh_token", "a token for " + client.id(), "a token for another client");
    }

    private static boolean matches(String challenge, String verifier) {
        try {
            String computed = CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(verifier))
                    .getValue();
            return MessageDigest.isEqual(
                    computed.getBytes(StandardCharsets.US_ASCII), challenge.getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            return false; // too short, too long or with other characters
        }
    }

    /** RFC 7009: ends the sign-in that the token belongs to. Unknown tokens are not an error. */
    private Response revoke(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        String token = required(parameters, "token");
        Authorization refreshed = authorizations.peek(token);
        String accessId = refreshed == null ? tokens.authorizationOf(token) : null;
        Authorization authorization = accessId == null ? refreshed : authorizations.find(accessId);
        if (authorization != null && authorization.clientId().equals(client.id())) {
            authorizations.end(authorization.id());
        }
        return Response.of(200);
    }

    /** RFC 9126: validates a request in advance. */
    private Response push(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        Target target = requests.target(parameters.with("client_id", client.id()));
        String requestUri = requests.push(requests.validate(target, parameters));
        return Response.json(
                201,
                json -> json.text("request_uri", requestUri)
                        .number("expires_in", AuthorizationRequests.PUSHED_LIFETIME.toSeconds()));
    }

    private HTTPRequest httpRequest(Exchange exchange, String path, String form) throws RefusedException {
        HTTPRequest request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(issuer + path));
        try {
            request.setContentType("application/x-www-form-urlencoded");
        } catch (ParseException e) {
            throw new IllegalStateException("a valid content type", e);
        }
        List<String> authorization = exchange.headers("Authorization");
        if (authorization.size() > 1) {
            throw new RefusedException(Reason.INVALID_CLIENT.of("Authorization", "one header", "several"));
        }
        if (!authorization.isEmpty()) {
            request.setAuthorization(authorization.get(0));
        }
        request.setBody(form);
        return request;
    }

    private static String required(Parameters parameters, String name) throws RefusedException {
        String value = parameters.get(name);
        if (value == null) {
            throw new RefusedException(Reason.MALFORMED_REQUEST.of(name, "a value", "nothing"));
        }
        return value;
    }

    /** RFC 6749, section 5.2. */
    private static Response error(Refusal refusal, boolean triedHeader) {
        ErrorObject error = refusal.reason().error();
        boolean unauthenticated = refusal.reason() == Reason.INVALID_CLIENT;
        Response response = Response.json(unauthenticated ? 401 : 400, json -> {
                    json.text("error", error.getCode())
                            .text("error_description", Objects.requireNonNullElse(error.getDescription(), ""))
                            .text("code", refusal.reason().code());
                })
                .with("Cache-Control", "no-store");
        return unauthenticated && triedHeader
                ? response.with("WWW-Authenticate", "Basic realm=\"porchlight\"")
                : response;
    }
}
