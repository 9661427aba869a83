// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.OpenIdPorts.SessionEnd;
import dev.porchlight.server.openid.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.Refusal.Reason;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RP-initiated logout: {@code /oauth2/logout}. With a valid {@code id_token_hint} its session ends at once. Without one the
 * user is sent to the account page, where the sign-out button is: a stranger's link cannot sign anyone out.
 */
final class LogoutRoutes {
    private final OpenIdSwitch openId;
    private final Clients clients;
    private final OpenIdTokens tokens;
    private final SessionEnd sessions;
    private final OpenIdTelemetry telemetry;

    LogoutRoutes(
            OpenIdSwitch openId, Clients clients, OpenIdTokens tokens, SessionEnd sessions, OpenIdTelemetry telemetry) {
        this.openId = openId;
        this.clients = clients;
        this.tokens = tokens;
        this.sessions = sessions;
        this.telemetry = telemetry;
    }

    void mount(Router.Builder router) {
        router.get("/oauth2/logout", Access.OPENID_AUTHORIZE, exchange -> logout(exchange, exchange.query()));
        router.post("/oauth2/logout", Access.OPENID_AUTHORIZE, exchange -> logout(exchange, exchange.formText()));
    }

    private Response logout(Exchange exchange, @Nullable String text) throws ProblemException {
        openId.require();
        String clientId = "";
        try {
            Parameters parameters = Parameters.parse(text);
            String hint = parameters.get("id_token_hint");
            JWTClaimsSet claims = hint == null ? null : tokens.hint(hint);
            Client client = client(parameters, claims);
            clientId = client == null ? "" : client.id();
            String target = target(client, parameters);
            String session = claims == null ? null : claims.getStringClaim("sid");
            if (claims == null || session == null) {
                return AuthorizationResponses.redirect("/account");
            }
            sessions.end(exchange, claims.getSubject(), session);
            telemetry.succeeded(exchange, Endpoint.LOGOUT, clientId);
            return AuthorizationResponses.redirect(target == null ? "/#signed-out" : target);
        } catch (RefusedException e) {
            String supportCode = telemetry.refused(exchange, Endpoint.LOGOUT, clientId, "", e.refusal());
            return ErrorPage.of(exchange, e.refusal(), supportCode, null);
        } catch (ParseException e) {
            return AuthorizationResponses.redirect("/account"); // the service's own tokens have texts there
        }
    }

    /** The client that asks, by the hint's audience or by its id, which must agree. */
    private @Nullable Client client(Parameters parameters, @Nullable JWTClaimsSet claims) throws RefusedException {
        String named = parameters.get("client_id");
        List<String> audience = claims == null ? List.of() : claims.getAudience();
        String id = named == null && audience.size() == 1 ? audience.get(0) : named;
        if (id == null) {
            return null;
        }
        Client client = clients.find(id);
        if (client == null || claims != null && !audience.equals(List.of(id))) {
            throw new RefusedException(Reason.UNKNOWN_CLIENT.of("client_id", "the audience of id_token_hint", id));
        }
        return client;
    }

    private static @Nullable String target(@Nullable Client client, Parameters parameters) throws RefusedException {
        String uri = parameters.get("post_logout_redirect_uri");
        if (uri == null) {
            return null;
        }
        if (client == null || !client.settings().logoutUris().contains(uri)) {
            String expected = client == null
                    ? "client_id or id_token_hint beside it"
                    : String.join(" or ", client.settings().logoutUris());
            throw new RefusedException(Reason.LOGOUT_URI_MISMATCH.of("post_logout_redirect_uri", expected, uri));
        }
        String state = parameters.get("state");
        return state == null
                ? uri
                : uri + (uri.contains("?") ? '&' : '?') + "state=" + URLEncoder.encode(state, StandardCharsets.UTF_8);
    }
}
