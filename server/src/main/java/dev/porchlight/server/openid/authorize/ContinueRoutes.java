// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.web.Language;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where the sign-in page leads: issues the code, or asks for what is missing. Only pages of this origin lead here. */
public final class ContinueRoutes {
    static final String PATH = "/oauth2/continue";

    /** The scopes, in the order of the consent page, with what they mean for the user. */
    private static final List<Map.Entry<String, String>> SCOPES = List.of(
            Map.entry("openid", "openid.userName"),
            Map.entry(OpenIdTokens.PROFILE, "openid.profile"),
            Map.entry(OpenIdTokens.EMAIL, "openid.email"),
            Map.entry(OpenIdTokens.GROUPS, "openid.groups"),
            Map.entry(OpenIdTokens.OFFLINE, "openid.offline"));

    private final ClientEndpoints endpoints;
    private final SealedRequests requests;
    private final CodeIssuer codes;
    private final Groups groups;
    private final Callers callers;
    private final InstantSource clock;

    public ContinueRoutes(
            ClientEndpoints endpoints,
            SealedRequests requests,
            CodeIssuer codes,
            Groups groups,
            Callers callers,
            InstantSource clock) {
        this.endpoints = endpoints;
        this.requests = requests;
        this.codes = codes;
        this.groups = groups;
        this.callers = callers;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get(PATH, Access.OPENID_CONTINUE, endpoints.forBrowsers(this::proceed));
        router.post("/oauth2/consent", Access.OPENID_CONTINUE, endpoints.forBrowsers(this::proceed));
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
        Client client = request == null ? null : endpoints.clients().find(request.clientId());
        return request == null
                        || client == null
                        || !client.accepts(request.code().redirectUri())
                        || client.needsPkce() && request.code().codeChallenge() == null
                        || client.settings().rules().pushedRequests() && !request.pushed()
                ? null
                : client;
    }

    /** Describes a request for the sign-in page: the client, and the user who may continue without the passkey. */
    private Response describe(Exchange exchange) throws ProblemException {
        endpoints.requireClients();
        SignInRequest request = requests.open(exchange.queryParameter("request"));
        Client client = client(request);
        if (request == null || client == null) {
            exchange.unauthenticated(false);
            throw new ProblemException(Problem.NOT_FOUND);
        }
        Session found = callers.session(exchange);
        Session session = found != null && request.isSatisfiedBy(found, clock.instant()) ? found : null;
        String host = URI.create(request.code().redirectUri()).getHost();
        return Response.json(200, json -> {
            json.text("name", client.name())
                    .text("host", host == null ? "" : host)
                    .text("requestId", request.id())
                    .optionalText("loginHint", request.login().hint());
            if (session != null) {
                json.text("userId", session.userId()).bool("automatic", isAutomatic(client, request, session));
            }
        });
    }

    /**
     * Whether a signed-in user continues without a click, as with {@code prompt=none}: to a client of the operator that is known
     * by its secret, keys or https address (RFC 8252, section 8.6), and only once in a few minutes. The user may want another
     * account, and a client that refuses its sign-ins would otherwise load again and again.
     */
    private boolean isAutomatic(Client client, SignInRequest request, Session session) {
        return !client.settings().consent()
                && request.isClearFor(session)
                && (!client.isPublic() || request.code().redirectUri().startsWith("https:"))
                && groups.refusal(client, session.userId(), Reason.NOT_IN_GROUP) == null
                && !codes.isRecent(client, session);
    }

    private Response proceed(Exchange exchange) throws ProblemException, IOException {
        try {
            Parameters parameters = Parameters.of(exchange);
            String sealed = parameters.get("request");
            SignInRequest request = requests.open(sealed);
            Client client = client(request);
            if (request == null || client == null || requests.isUsed(request)) {
                throw Reason.AUTHORIZATION_REQUEST_EXPIRED.refused(
                        "request",
                        "a request of the last " + SealedRequests.LIFETIME.toMinutes()
                                + " minutes, of a present client",
                        request == null
                                ? sealed == null ? null : "an older or damaged one"
                                : "one of " + request.clientId() + ", which was removed or changed, or a used one");
            }
            return proceed(exchange, client, request, Decision.of(exchange, parameters));
        } catch (RefusedException e) {
            exchange.unauthenticated(false);
            return endpoints.page(exchange, Endpoint.AUTHORIZE, "", e.refusal());
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
        if (session != null && !request.accepts(session) && (request.silent() || request.isCompletedBy(session))) {
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
            return consentPage(exchange, client, userId, request);
        }
        return grant(exchange, client, request, session, agreedNow);
    }

    /** Asks for consent. Every client gets refresh tokens, so it keeps its access while the user is away. */
    private Response consentPage(Exchange exchange, Client client, String userId, SignInRequest request) {
        Language language = endpoints.html().language(exchange);
        String items = SCOPES.stream()
                .filter(scope -> scope.getKey().equals(OpenIdTokens.OFFLINE)
                        || request.code().scopes().contains(scope.getKey()))
                .map(scope -> "<li>" + Html.escape(language.text(scope.getValue())) + "</li>")
                .collect(Collectors.joining());
        return endpoints
                .html()
                .page(
                        language,
                        200,
                        language.text("openid.consent").replace("{application}", client.name()),
                        language.text("signin.signedIn").replace("{user}", userId),
                        "<div><p>" + Html.with(language.text("openid.receives"), "application", client.name())
                                + "</p><ul>"
                                + items
                                + "</ul></div><form class=\"stack\" method=\"post\" action=\"/oauth2/consent\">"
                                + "<input type=\"hidden\" name=\"request\" value=\""
                                + Html.escape(requests.seal(request.asking(userId))) + "\">"
                                + button("primary", "agree", language.text("openid.allow"))
                                + button("", "deny", language.text("openid.deny")) + "</form>")
                // With no-referrer, browsers send the form with the origin "null", which no route accepts.
                .with("Referrer-Policy", "same-origin");
    }

    private static String button(String style, String decision, String label) {
        return "<button class=\"" + style + "\" name=\"decision\" value=\"" + decision + "\">" + Html.escape(label)
                + "</button>";
    }

    private Response signIn(Exchange exchange, SignInRequest request, @Nullable Session session) {
        if (!request.silent()) {
            return Response.redirect("/?request=" + requests.seal(request.choosing()));
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
        endpoints.telemetry().succeeded(exchange, Endpoint.AUTHORIZE, client.id());
        return toClient(exchange, request, request.target().success(endpoints.issuer(), code.get()));
    }

    /** Refuses a request after the user signed in, with a page for the user, or by going back to the client. */
    private Response refuse(
            Exchange exchange, SignInRequest request, @Nullable Session session, Refusal refusal, boolean shown) {
        String userId = session == null ? "" : session.userId();
        String supportCode =
                endpoints.telemetry().refused(exchange, Endpoint.AUTHORIZE, request.clientId(), userId, refusal);
        AuthorizationResponse error = request.target().error(endpoints.issuer(), refusal, supportCode);
        return shown
                ? endpoints
                        .html()
                        .refusal(exchange, refusal, supportCode, error.toURI().toString(), false)
                : toClient(exchange, request, error);
    }

    private Response toClient(Exchange exchange, SignInRequest request, AuthorizationResponse response) {
        boolean leads = exchange.method().equals("POST");
        return request.target().send(endpoints.html(), exchange, response, leads);
    }
}
