// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.OpenIdSwitch;
import dev.porchlight.server.openid.protocol.ErrorPage;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.routes.Callers;
import dev.porchlight.server.web.Language;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * RP-initiated logout: {@code /oauth2/logout}. With a valid {@code id_token_hint} its session ends at once. Without one the
 * user is sent to the account page, where the sign-out button is: a stranger's link cannot sign anyone out.
 *
 * <p>If the session of the hint has ended already, the browser may have a later one. The session cookie is not sent from the
 * client's site, so a second step, from a page of this origin, ends that session if it is the same user's.
 */
public final class LogoutRoutes {
    private static final String COMPLETE = "/oauth2/logout/complete";
    private static final String PLACE = "logout request";
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    private final OpenIdSwitch openId;
    private final Clients clients;
    private final OpenIdTokens tokens;
    private final Callers callers;
    private final Logouts logouts;
    private final Sealer sealer;
    private final OpenIdTelemetry telemetry;
    private final InstantSource clock;
    private final Html html;

    public LogoutRoutes(
            OpenIdSwitch openId,
            Clients clients,
            OpenIdTokens tokens,
            Callers callers,
            Logouts logouts,
            Sealer sealer,
            OpenIdTelemetry telemetry,
            InstantSource clock,
            Html html) {
        this.openId = openId;
        this.clients = clients;
        this.tokens = tokens;
        this.callers = callers;
        this.logouts = logouts;
        this.sealer = sealer;
        this.telemetry = telemetry;
        this.clock = clock;
        this.html = html;
    }

    public void mount(Router.Builder router) {
        router.get("/oauth2/logout", Access.OPENID_AUTHORIZE, openId.forBrowsers(this::logout));
        router.post("/oauth2/logout", Access.OPENID_AUTHORIZE, openId.forBrowsers(this::logout));
        router.get(COMPLETE, Access.OPENID_CONTINUE, openId.forBrowsers(this::complete));
    }

    private Response logout(Exchange exchange) throws ProblemException, IOException {
        exchange.unauthenticated(false); // counts for the address
        String clientId = "";
        try {
            LogoutRequest request = LogoutRequest.of(Parameters.of(exchange), clients, tokens);
            clientId = request.clientId();
            String target = request.target();
            String userId = request.userId();
            String session = request.session();
            if (userId == null || session == null) {
                return Response.redirect("/account");
            }
            if (!logouts.end(userId, session, exchange.correlationId())) {
                return html.leading(Language.of(exchange), COMPLETE + "?request=" + seal(clientId, userId, target));
            }
            telemetry.succeeded(exchange, Endpoint.LOGOUT, clientId);
            return signedOut(target);
        } catch (RefusedException e) {
            String supportCode = telemetry.refused(exchange, Endpoint.LOGOUT, clientId, "", e.refusal());
            return ErrorPage.ofLogout(html, exchange, e.refusal(), supportCode);
        }
    }

    private Response complete(Exchange exchange) throws ProblemException {
        JsonObject request = open(exchange.queryParameter("request"));
        if (request == null) {
            exchange.unauthenticated(false);
            return Response.redirect("/account");
        }
        try {
            Session session = callers.session(exchange);
            String target = request.optionalText("target");
            if (session != null && session.userId().equals(request.text("userId"))) {
                logouts.end(session.userId(), session.handle(), exchange.correlationId());
            } else if (session != null && target == null) {
                return Response.redirect("/account"); // another user is signed in, and stays so
            }
            telemetry.succeeded(exchange, Endpoint.LOGOUT, request.text("clientId"));
            return signedOut(target);
        } catch (MalformedException e) {
            return Response.redirect("/account"); // sealed by another release
        }
    }

    private static Response signedOut(@Nullable String target) {
        return Response.redirect(target == null ? "/#signed-out" : target);
    }

    private String seal(String clientId, String userId, @Nullable String target) {
        return sealer.seal(
                JsonWriter.object(json -> json.text("clientId", clientId)
                        .text("userId", userId)
                        .number("expiresAt", clock.millis() + LIFETIME.toMillis())
                        .optionalText("target", target)),
                PLACE);
    }

    /** Opens a request that came back from the browser; null if it is not genuine or too old. */
    private @Nullable JsonObject open(@Nullable String sealed) {
        String text = sealed == null ? null : sealer.open(sealed, PLACE);
        try {
            JsonObject json = text == null ? null : JsonObject.parse(text, "request");
            return json == null || Objects.requireNonNullElse(json.optionalInteger("expiresAt"), 0L) <= clock.millis()
                    ? null
                    : json;
        } catch (MalformedException e) {
            return null;
        }
    }
}
