// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.web.Language;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * RP-initiated logout: {@code /oauth2/logout}. With a valid {@code id_token_hint} its session ends at once. Without one the
 * user is asked: a stranger's link cannot sign anyone out.
 *
 * <p>If the session of the hint has ended already, the browser may have a later one. The session cookie is not sent from the
 * client's site, so a second step, from a page of this origin, ends that session if it is the same user's, or asks.
 */
public final class LogoutRoutes {
    private static final String COMPLETE = "/oauth2/logout/complete";
    private static final String PLACE = "logout request";
    private static final Duration LIFETIME = Duration.ofMinutes(15);

    private final ClientEndpoints endpoints;
    private final OpenIdTokens tokens;
    private final Callers callers;
    private final Logouts logouts;
    private final Sql sql;
    private final Sealer sealer;
    private final InstantSource clock;

    public LogoutRoutes(
            ClientEndpoints endpoints,
            OpenIdTokens tokens,
            Callers callers,
            Logouts logouts,
            Sql sql,
            Sealer sealer,
            InstantSource clock) {
        this.endpoints = endpoints;
        this.tokens = tokens;
        this.callers = callers;
        this.logouts = logouts;
        this.sql = sql;
        this.sealer = sealer;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get("/oauth2/logout", Access.OPENID_AUTHORIZE, endpoints.forBrowsers(this::logout));
        router.post("/oauth2/logout", Access.OPENID_AUTHORIZE, endpoints.forBrowsers(this::logout));
        router.get(COMPLETE, Access.OPENID_CONTINUE, endpoints.forBrowsers(this::complete));
        router.post(COMPLETE, Access.OPENID_CONTINUE, endpoints.forBrowsers(this::complete));
    }

    private Response logout(Exchange exchange) throws ProblemException, IOException {
        exchange.unauthenticated(false); // counts for the address
        String clientId = "";
        try {
            LogoutRequest request = LogoutRequest.of(Parameters.of(exchange), endpoints.clients(), tokens, sql);
            clientId = request.clientId();
            String target = request.target();
            String userId = request.userId();
            String session = request.session();
            if (userId == null || session == null || !logouts.end(userId, session, exchange.correlationId())) {
                return endpoints
                        .html()
                        .leading(
                                endpoints.html().language(exchange),
                                COMPLETE + "?request=" + seal(clientId, userId, target));
            }
            endpoints.telemetry().succeeded(exchange, Endpoint.LOGOUT, clientId);
            return signedOut(target);
        } catch (RefusedException e) {
            return endpoints.page(exchange, Endpoint.LOGOUT, clientId, e.refusal());
        }
    }

    private Response complete(Exchange exchange) throws ProblemException, IOException {
        Completion request = open(sealed(exchange));
        if (request == null) {
            exchange.unauthenticated(false);
            return Response.redirect("/account");
        }
        Session session = callers.session(exchange);
        if (session != null && request.userId() == null) {
            return ask(exchange, request, session.userId());
        }
        if (session != null && session.userId().equals(request.userId())) {
            logouts.end(session.userId(), session.handle(), exchange.correlationId());
        } else if (session != null && request.target() == null) {
            return Response.redirect("/account"); // another user is signed in, and stays so
        }
        endpoints.telemetry().succeeded(exchange, Endpoint.LOGOUT, request.clientId());
        // After a form, a browser follows redirects only to where the page's policy allows.
        return exchange.method().equals("POST") && request.target() != null
                ? endpoints.html().leading(endpoints.html().language(exchange), request.target())
                : signedOut(request.target());
    }

    private static @Nullable String sealed(Exchange exchange) throws ProblemException, IOException {
        try {
            return Parameters.of(exchange).get("request");
        } catch (RefusedException e) {
            return null;
        }
    }

    /** Asks the user whether to sign out. The form has the same request with their name in it. */
    private Response ask(Exchange exchange, Completion request, String userId) {
        Language language = endpoints.html().language(exchange);
        String sealed = seal(request.clientId(), userId, request.target());
        return endpoints
                .html()
                .page(
                        language,
                        200,
                        language.text("openid.signOut"),
                        language.text("signin.signedIn").replace("{user}", userId),
                        "<form class=\"stack\" method=\"post\" action=\"" + COMPLETE
                                + "\"><input type=\"hidden\" name=\"request\" value=\"" + Html.escape(sealed)
                                + "\"><button class=\"primary\">" + Html.escape(language.text("openid.signOutButton"))
                                + "</button><a class=\"button\" href=\"/account\">"
                                + Html.escape(language.text("openid.stay")) + "</a></form>")
                // With no-referrer, browsers send the form with the origin "null", which no route accepts.
                .with("Referrer-Policy", "same-origin");
    }

    private static Response signedOut(@Nullable String target) {
        return Response.redirect(target == null ? "/#signed-out" : target);
    }

    /** What the second step needs to know of the request. */
    private record Completion(
            String clientId,
            @Nullable String userId,
            @Nullable String target) {}

    private String seal(String clientId, @Nullable String userId, @Nullable String target) {
        return sealer.seal(
                JsonWriter.object(json -> json.text("clientId", clientId)
                        .optionalText("userId", userId)
                        .number("expiresAt", clock.millis() + LIFETIME.toMillis())
                        .optionalText("target", target)),
                PLACE);
    }

    /** Opens a request that came back from the browser; null if it is not genuine or too old. */
    private @Nullable Completion open(@Nullable String sealed) {
        String text = sealed == null ? null : sealer.open(sealed, PLACE);
        try {
            JsonObject json = text == null ? null : JsonObject.parse(text, "request");
            return json == null || json.integer("expiresAt") <= clock.millis()
                    ? null
                    : new Completion(json.text("clientId"), json.optionalText("userId"), json.optionalText("target"));
        } catch (MalformedException e) {
            return null; // sealed by another release
        }
    }

    /**
     * A logout request of a client.
     *
     * @param client the client that asks, by the hint's audience or by its id; null if neither is given
     * @param userId the user of the hint; empty for one who no longer exists, null without a hint
     * @param session the session of the hint, or null
     */
    record LogoutRequest(
            @Nullable Client client,
            @Nullable String userId,
            @Nullable String session,
            Parameters parameters) {

        /** Reads a request; refused if the client is unknown, or is not the one of the hint. */
        static LogoutRequest of(Parameters parameters, Clients clients, OpenIdTokens tokens, Sql sql)
                throws RefusedException {
            String hint = parameters.get("id_token_hint");
            JWTClaimsSet claims = hint == null ? null : tokens.hint(hint);
            String named = parameters.get("client_id");
            List<String> audience = claims == null ? List.of() : claims.getAudience();
            String id = named == null && audience.size() == 1 ? audience.get(0) : named;
            Client client = id == null ? null : clients.find(id);
            if (id != null && (client == null || claims != null && !audience.equals(List.of(id)))) {
                throw Reason.UNKNOWN_CLIENT.refused("client_id", "the audience of id_token_hint", id);
            }
            Object session = claims == null ? null : claims.getClaim("sid");
            return new LogoutRequest(
                    client,
                    claims == null
                            ? null
                            : Objects.requireNonNullElse(SqlUsers.ofSubject(sql, claims.getSubject()), ""),
                    session instanceof String text ? text : null,
                    parameters);
        }

        String clientId() {
            return client == null ? "" : client.id();
        }

        /** Where the user returns to, with the state; null if the request does not say. Must be registered. */
        @Nullable
        String target() throws RefusedException {
            String uri = parameters.get("post_logout_redirect_uri");
            if (uri == null) {
                return null;
            }
            if (client == null || !client.settings().logoutUris().contains(uri)) {
                String expected = client == null
                        ? "client_id or id_token_hint beside it"
                        : String.join(" or ", client.settings().logoutUris());
                throw Reason.LOGOUT_URI_MISMATCH.refused("post_logout_redirect_uri", expected, uri);
            }
            String state = parameters.get("state");
            return state == null
                    ? uri
                    : uri + (uri.contains("?") ? '&' : '?') + "state="
                            + URLEncoder.encode(state, StandardCharsets.UTF_8);
        }
    }
}
