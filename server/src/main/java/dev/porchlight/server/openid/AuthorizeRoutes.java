// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.AuthorizationRequests.Target;
import dev.porchlight.server.openid.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.Refusal.Reason;
import dev.porchlight.server.web.Language;
import java.io.IOException;

/**
 * The authorization endpoint: {@code /oauth2/authorize} validates the request and sends the browser to the sign-in page with
 * the request sealed. The page leads to {@link ContinueRoutes}.
 *
 * <p>The detour through a page is needed because session cookies are {@code SameSite=Strict}: the browser does not send them
 * with a navigation that comes from the client's site, but does with one that comes from a page of this origin.
 */
final class AuthorizeRoutes {
    private final OpenIdSwitch openId;
    private final AuthorizationRequests requests;
    private final AuthorizationResponses responses;
    private final OpenIdTelemetry telemetry;

    AuthorizeRoutes(
            OpenIdSwitch openId,
            AuthorizationRequests requests,
            AuthorizationResponses responses,
            OpenIdTelemetry telemetry) {
        this.openId = openId;
        this.requests = requests;
        this.responses = responses;
        this.telemetry = telemetry;
    }

    void mount(Router.Builder router) {
        router.get("/oauth2/authorize", Access.OPENID_AUTHORIZE, openId.forBrowsers(this::begin));
        router.post("/oauth2/authorize", Access.OPENID_AUTHORIZE, openId.forBrowsers(this::begin));
    }

    private Response begin(Exchange exchange) throws ProblemException, IOException {
        exchange.unauthenticated(false); // counts for the address
        String text = exchange.method().equals("POST") ? exchange.formText() : exchange.query();
        String clientId = "";
        Target target = null;
        try {
            Parameters parameters = Parameters.parse(text);
            String given = parameters.get("client_id");
            clientId = given == null ? "" : given;
            String requestUri = parameters.get("request_uri");
            if (requestUri != null) {
                return next(exchange, pushed(requestUri, clientId));
            }
            target = requests.target(parameters);
            return next(exchange, requests.validate(target, parameters));
        } catch (RefusedException e) {
            String supportCode = telemetry.refused(exchange, Endpoint.AUTHORIZE, clientId, "", e.refusal());
            return target == null
                    ? ErrorPage.of(responses.html(), exchange, e.refusal(), supportCode, null)
                    : AuthorizationResponses.redirect(
                            responses.errorUri(target.redirectUri(), target.state(), e.refusal()));
        }
    }

    private SignInRequest pushed(String requestUri, String clientId) throws RefusedException {
        SignInRequest request = requests.openPushed(requestUri, clientId);
        if (request == null) {
            throw new RefusedException(Reason.INVALID_REQUEST_URI.of(
                    "request_uri",
                    "a pushed request of this client, at most a minute old and not used",
                    "an unknown, expired or used one"));
        }
        return request;
    }

    /** Sends the browser to the sign-in page, or for {@code prompt=none} on to the next step without showing anything. */
    private Response next(Exchange exchange, SignInRequest request) {
        String sealed = requests.seal(request);
        if (!request.silent()) {
            return AuthorizationResponses.signInPage(sealed);
        }
        if ("iframe".equals(exchange.header("Sec-Fetch-Dest"))) {
            // No page of this service can be framed, so the user is not known there.
            Refusal refusal = Reason.LOGIN_REQUIRED.of("prompt", "a request in a page", "prompt=none in a frame");
            telemetry.refused(exchange, Endpoint.AUTHORIZE, request.clientId(), "", refusal);
            return AuthorizationResponses.redirect(responses.errorUri(request.redirectUri(), request.state(), refusal));
        }
        return responses.html().leading(Language.of(exchange), AuthorizationResponses.CONTINUE + "?request=" + sealed);
    }
}
