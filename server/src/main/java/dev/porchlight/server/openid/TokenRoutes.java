// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.AccessTokens.Granted;
import dev.porchlight.server.openid.AuthorizationRequests.Target;
import dev.porchlight.server.openid.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.Refusal.Reason;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;

/** The endpoints that clients call themselves: token, revocation, pushed authorization requests. */
final class TokenRoutes {
    private static final String PUSH = "/oauth2/par";

    private final OpenIdSwitch openId;
    private final ClientAuthenticator authenticator;
    private final ClientCors cors;
    private final AuthorizationRequests requests;
    private final Authorizations authorizations;
    private final AccessTokens accessTokens;
    private final TokenIssuer issuer;
    private final DpopProofs proofs;
    private final OpenIdTelemetry telemetry;
    private final String origin;

    TokenRoutes(
            OpenIdSwitch openId,
            ClientAuthenticator authenticator,
            ClientCors cors,
            AuthorizationRequests requests,
            Authorizations authorizations,
            AccessTokens accessTokens,
            TokenIssuer issuer,
            DpopProofs proofs,
            OpenIdTelemetry telemetry,
            String origin) {
        this.openId = openId;
        this.authenticator = authenticator;
        this.cors = cors;
        this.requests = requests;
        this.authorizations = authorizations;
        this.accessTokens = accessTokens;
        this.issuer = issuer;
        this.proofs = proofs;
        this.telemetry = telemetry;
        this.origin = origin;
    }

    void mount(Router.Builder router) {
        mount(router, "/oauth2/token", Endpoint.TOKEN, issuer::issue);
        mount(router, "/oauth2/revoke", Endpoint.REVOKE, this::revoke);
        mount(router, PUSH, Endpoint.PAR, this::push);
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
            HTTPRequest request = httpRequest(exchange, path, form);
            clientId = ClientAuthenticator.claimedId(request, parameters);
            if (!parameters.repeated().isEmpty()) {
                String name = parameters.repeated().iterator().next();
                throw new RefusedException(Reason.REPEATED_PARAMETER.of(name, "one value", "several values"));
            }
            Client client = authenticator.authenticate(request, parameters);
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
            telemetry.refused(exchange, endpoint, clientId, e.userId(), refusal);
            return error(refusal, exchange.header("Authorization") != null);
        }
    }

    /** RFC 7009: ends the sign-in that the token belongs to. Unknown tokens are not an error. */
    private Response revoke(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        String token = parameters.required("token");
        Authorization refreshed = authorizations.peek(token);
        Granted granted = refreshed == null ? accessTokens.find(token) : null;
        Authorization authorization = granted == null ? refreshed : granted.authorization();
        if (authorization != null && authorization.clientId().equals(client.id())) {
            authorizations.end(authorization.id());
        }
        return Response.of(200);
    }

    /** RFC 9126: validates a request in advance. */
    private Response push(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        Target target = requests.target(parameters.with("client_id", client.id()));
        SignInRequest request = requests.validate(target, parameters);
        String thumbprint = proofs.announcedThumbprint(exchange.headers(DpopProofs.HEADER), PUSH);
        String announced = request.dpopThumbprint();
        if (thumbprint != null && announced != null && !announced.equals(thumbprint)) {
            throw new RefusedException(
                    Reason.INVALID_DPOP_PROOF.of("DPoP", "a proof with the key of dpop_jkt", "another key"));
        }
        String requestUri = requests.push(thumbprint == null ? request : request.boundTo(thumbprint));
        return Response.json(
                201,
                json -> json.text("request_uri", requestUri)
                        .number("expires_in", AuthorizationRequests.PUSHED_LIFETIME.toSeconds()));
    }

    private HTTPRequest httpRequest(Exchange exchange, String path, String form) throws RefusedException {
        HTTPRequest request = new HTTPRequest(HTTPRequest.Method.POST, URI.create(origin + path));
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
