// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.authorize.SignInRequest.Target;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.DpopProofs;
import java.io.IOException;

/**
 * The authorization endpoint: {@code /oauth2/authorize} validates the request and sends the browser to the sign-in page with
 * the request sealed. The page leads to {@link ContinueRoutes}. A client may push the request first: {@code /oauth2/par}.
 *
 * <p>The detour through a page is needed because session cookies are {@code SameSite=Strict}: the browser does not send them
 * with a navigation that comes from the client's site, but does with one that comes from a page of this origin.
 */
public final class AuthorizeRoutes {
    private static final String PUSH = "/oauth2/par";

    private final ClientEndpoints endpoints;
    private final AuthorizationRequests requests;
    private final SealedRequests sealed;
    private final DpopProofs proofs;

    public AuthorizeRoutes(
            ClientEndpoints endpoints, AuthorizationRequests requests, SealedRequests sealed, DpopProofs proofs) {
        this.endpoints = endpoints;
        this.requests = requests;
        this.sealed = sealed;
        this.proofs = proofs;
    }

    public void mount(Router.Builder router) {
        router.get("/oauth2/authorize", Access.OPENID_AUTHORIZE, endpoints.forBrowsers(this::begin));
        router.post("/oauth2/authorize", Access.OPENID_AUTHORIZE, endpoints.forBrowsers(this::begin));
        endpoints.mount(router, PUSH, Endpoint.PAR, this::push);
    }

    private Response begin(Exchange exchange) throws ProblemException, IOException {
        exchange.unauthenticated(false); // counts for the address
        String clientId = "";
        Target target = null;
        try {
            Parameters parameters = Parameters.of(exchange);
            String given = parameters.get("client_id");
            clientId = given == null ? "" : given;
            String requestUri = parameters.get("request_uri");
            if (requestUri != null) {
                return next(exchange, pushed(requestUri, clientId));
            }
            Client client = requests.client(parameters);
            target = requests.target(client, parameters);
            SignInRequest request = requests.validate(client, target, parameters);
            if (client.settings().rules().pushedRequests()) {
                throw Reason.PUSHED_REQUEST_REQUIRED.refused("request_uri", "a pushed request", null);
            }
            return next(exchange, request);
        } catch (RefusedException e) {
            return target == null
                    ? endpoints.page(exchange, Endpoint.AUTHORIZE, clientId, e.refusal())
                    : refuse(exchange, target, e.refusal());
        }
    }

    private SignInRequest pushed(String requestUri, String clientId) throws RefusedException {
        SignInRequest request = sealed.openPushed(requestUri, clientId);
        if (request == null) {
            throw Reason.INVALID_REQUEST_URI.refused(
                    "request_uri",
                    "a pushed request of this client, at most a minute old and not used",
                    "an unknown, expired or used one");
        }
        return request;
    }

    /** Sends the browser to the sign-in page, or for {@code prompt=none} on to the next step without showing anything. */
    private Response next(Exchange exchange, SignInRequest request) {
        String inUrl = sealed.seal(request);
        if (!request.silent()) {
            return Response.redirect("/?request=" + inUrl);
        }
        if ("iframe".equals(exchange.header("Sec-Fetch-Dest"))) {
            // No page of this service can be framed, so the user is not known there.
            Refusal refusal = Reason.LOGIN_REQUIRED.of("prompt", "a request in a page", "prompt=none in a frame");
            return refuse(exchange, request.target(), refusal);
        }
        return endpoints.html().leading(endpoints.html().language(exchange), ContinueRoutes.PATH + "?request=" + inUrl);
    }

    private Response refuse(Exchange exchange, Target target, Refusal refusal) {
        String supportCode =
                endpoints.telemetry().refused(exchange, Endpoint.AUTHORIZE, target.clientId(), "", refusal);
        return target.send(endpoints.html(), exchange, target.error(endpoints.issuer(), refusal, supportCode), false);
    }

    /** RFC 9126: validates a request in advance. */
    private Response push(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        if (parameters.get("request_uri") != null) {
            throw Reason.REQUEST_URI_NOT_SUPPORTED.refused("request_uri", "no request_uri", "a request_uri");
        }
        SignInRequest request = requests.validate(client, requests.target(client, parameters), parameters);
        String thumbprint = proofs.announcedThumbprint(exchange.headers(DpopProofs.HEADER), PUSH);
        String announced = request.code().dpopThumbprint();
        if (thumbprint != null && announced != null && !announced.equals(thumbprint)) {
            throw Reason.INVALID_DPOP_PROOF.refused("DPoP", "a proof with the key of dpop_jkt", "another key");
        }
        String requestUri = sealed.push(request.pushed(thumbprint));
        return Response.json(
                201,
                json -> json.text("request_uri", requestUri)
                        .number("expires_in", SealedRequests.PUSHED_LIFETIME.toSeconds()));
    }
}
