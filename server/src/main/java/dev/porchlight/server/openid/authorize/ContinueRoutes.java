// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.server.auth.Session;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.client.OpenIdSwitch;
import dev.porchlight.server.openid.protocol.ErrorPage;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.web.Language;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the sign-in page leads: issues the code, or asks for what is missing. Only pages of this origin lead here. */
public final class ContinueRoutes {
    private final OpenIdSwitch openId;
    private final Clients clients;
    private final AuthorizationRequests requests;
    private final AuthorizationResponses responses;
    private final CodeIssuer codes;
    private final Groups groups;
    private final Callers callers;
    private final OpenIdTelemetry telemetry;
    private final InstantSource clock;

    public ContinueRoutes(
            OpenIdSwitch openId,
            Clients clients,
            AuthorizationRequests requests,
            AuthorizationResponses responses,
            CodeIssuer codes,
            Groups groups,
            Callers callers,
            OpenIdTelemetry telemetry,
            InstantSource clock) {
        this.openId = openId;
        this.clients = clients;
        this.requests = requests;
        this.responses = responses;
        this.codes = codes;
        this.groups = groups;
        this.callers = callers;
        this.telemetry = telemetry;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get(AuthorizationResponses.CONTINUE, Access.OPENID_CONTINUE, openId.forBrowsers(this::proceed));
        router.post("/oauth2/consent", Access.OPENID_CONTINUE, openId.forBrowsers(this::proceed));
        router.get("/oauth2/request", Access.OPENID_CONTINUE, this::describe);
    }

    /** What the user decided on the consent page. */
    private enum Decision {
        NONE,
        AGREED,
        DENIED;

        private static Decision of(Exchange exchange, Parameters parameters) {
            return !exchange.method().equals("POST")
                    ? NONE
                    : "agree".equals(parameters.get("decision")) ? AGREED : DENIED;
        }
    }

    /** The client of a request, or null if it was removed or changed in the meantime. */
    private @Nullable Client client(@Nullable SignInRequest request) {
        Client client = request == null ? null : clients.find(request.clientId());
        return request == null
                        || client == null
                        || !client.accepts(request.code().redirectUri())
                ? null
                : client;
    }

    /** Describes a request for the sign-in page: the client, and the user who may continue without the passkey. */
    private Response describe(Exchange exchange) throws ProblemException {
        openId.require();
        SignInRequest sealed = requests.open(exchange.queryParameter("request"));
        Client client = client(sealed);
        if (sealed == null || client == null) {
            exchange.unauthenticated(false);
            throw new ProblemException(Problem.NOT_FOUND);
        }
        Session session = callers.session(exchange);
        SignInRequest request = sealed.notingSession(session);
        String host = URI.create(request.code().redirectUri()).getHost();
        return Response.json(200, json -> {
            json.text("name", client.name())
                    .text("host", host == null ? "" : host)
                    .text("request", requests.seal(request))
                    .optionalText("loginHint", request.suggestedUser());
            if (session != null && request.isSatisfiedBy(session, clock.instant())) {
                json.text("userId", session.userId());
            }
        });
    }

    private Response proceed(Exchange exchange) throws ProblemException, IOException {
        String clientId = "";
        try {
            Parameters parameters = Parameters.of(exchange);
            String sealed = parameters.get("request");
            SignInRequest request = requests.open(sealed);
            Client client = client(request);
            if (request == null || client == null) {
                throw Reason.AUTHORIZATION_REQUEST_EXPIRED.refused(
                        "request",
                        "a request of the last " + AuthorizationRequests.LIFETIME.toMinutes()
                                + " minutes, of a present client",
                        request == null
                                ? sealed == null ? null : "an older or damaged one"
                                : "one of " + request.clientId() + ", which was removed or changed");
            }
            clientId = client.id();
            return proceed(exchange, client, request, Decision.of(exchange, parameters));
        } catch (RefusedException e) {
            exchange.unauthenticated(false);
            String supportCode = telemetry.refused(exchange, Endpoint.AUTHORIZE, clientId, "", e.refusal());
            return ErrorPage.of(responses.html(), exchange, e.refusal(), supportCode, null);
        }
    }

    private Response proceed(Exchange exchange, Client client, SignInRequest request, Decision decision)
            throws ProblemException {
        Session session = callers.session(exchange);
        if (decision == Decision.DENIED) { // also if the user agreed in another tab
            return refuse(exchange, request, session, Reason.CONSENT_DENIED.of("decision", "agree", "deny"), false);
        }
        boolean agreedBefore = session != null && codes.hasConsent(client, request, session);
        if (session != null && !agreedBefore && request.silent()) {
            // Before anything about the user decides: the client may not learn who is signed in.
            String scopes = String.join(" ", request.code().scopes());
            Refusal refusal = Reason.CONSENT_REQUIRED.of("prompt", "consent to " + scopes, "prompt=none without it");
            return refuse(exchange, request, session, refusal, false);
        }
        if (session != null && !request.accepts(session) && (request.silent() || request.isNew(session))) {
            // Without the names: the log has pseudonyms only.
            Refusal refusal = Reason.OTHER_USER.of("id_token_hint or claims", "the requested user", "another user");
            return refuse(exchange, request, session, refusal, false);
        }
        if (session == null || !request.isSatisfiedBy(session, clock.instant())) {
            return signIn(exchange, request, session);
        }
        String userId = session.userId();
        Refusal outside = groups.refusal(client, userId, Reason.NOT_IN_GROUP);
        if (outside != null) {
            return refuse(exchange, request, session, outside, !request.silent());
        }
        boolean agreedNow = decision == Decision.AGREED && userId.equals(request.askedUser());
        if (!agreedNow && (request.login().freshConsent() || !agreedBefore)) {
            String form = requests.seal(request.asking(userId));
            return ConsentPage.of(
                    responses.html(), exchange, client, userId, request.code().scopes(), form);
        }
        return grant(exchange, client, request, session, agreedNow);
    }

    private Response signIn(Exchange exchange, SignInRequest request, @Nullable Session session) {
        if (!request.silent()) {
            return AuthorizationResponses.signInPage(requests.seal(request.notingSession(session)));
        }
        Long maxAge = request.login().maxAge();
        Refusal refusal = session == null || maxAge == null // the session ended, or just now the consent
                ? Reason.LOGIN_REQUIRED.of("prompt", "a signed-in user", "prompt=none without a session")
                : Reason.LOGIN_REQUIRED.of(
                        "max_age",
                        "a sign-in of the last " + maxAge + " seconds",
                        "one at " + session.grant().authTime());
        return refuse(exchange, request, session, refusal, false);
    }

    private Response grant(
            Exchange exchange, Client client, SignInRequest request, Session session, boolean agreedNow) {
        Optional<String> code = codes.issue(client, request, session, agreedNow, exchange.correlationId());
        if (code.isEmpty()) {
            return signIn(exchange, request, session);
        }
        telemetry.succeeded(exchange, Endpoint.AUTHORIZE, client.id());
        return toClient(exchange, responses.codeUri(request, code.get()));
    }

    /**
     * Refuses a request after the user signed in.
     *
     * @param shown whether a page explains it to the user, who can then go back to the application
     */
    private Response refuse(
            Exchange exchange, SignInRequest request, @Nullable Session session, Refusal refusal, boolean shown) {
        String userId = session == null ? "" : session.userId();
        String supportCode = telemetry.refused(exchange, Endpoint.AUTHORIZE, request.clientId(), userId, refusal);
        String uri = responses.errorUri(request.code().redirectUri(), request.state(), refusal);
        return shown ? ErrorPage.of(responses.html(), exchange, refusal, supportCode, uri) : toClient(exchange, uri);
    }

    /** After a form, a browser follows redirects only to where the page's policy allows, so the next page leads on. */
    private Response toClient(Exchange exchange, String uri) {
        return exchange.method().equals("POST")
                ? responses.html().leading(Language.of(exchange), uri)
                : Response.redirect(uri);
    }
}
