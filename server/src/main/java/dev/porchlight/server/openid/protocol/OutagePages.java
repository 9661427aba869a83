// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.ProblemPages;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pages for people that an application sent here, while the service is unavailable or they are limited. */
public final class OutagePages implements ProblemPages {
    private static final Map<String, Endpoint> ROUTES = Map.of(
            "/oauth2/authorize", Endpoint.AUTHORIZE,
            "/oauth2/continue", Endpoint.AUTHORIZE,
            "/oauth2/consent", Endpoint.AUTHORIZE,
            "/oauth2/logout", Endpoint.LOGOUT,
            "/oauth2/logout/complete", Endpoint.LOGOUT);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private final Html html;
    private final OpenIdTelemetry telemetry;

    public OutagePages(Html html, OpenIdTelemetry telemetry) {
        this.html = html;
        this.telemetry = telemetry;
    }

    @Override
    public @Nullable Response of(Exchange exchange, Problem problem) {
        Endpoint endpoint = ROUTES.get(String.valueOf(exchange.endpoint().template()));
        boolean limited = problem.status() == TOO_MANY_REQUESTS;
        if (endpoint == null
                || !limited && problem.status() < SERVER_ERROR
                || !String.join(",", exchange.headers("Accept")).contains("text/html")) {
            return null;
        }
        if (limited) { // without a code: strangers could fill the history, and there is nothing to explain
            telemetry.failed(exchange, endpoint, clientId(exchange), problem);
            return html.outage(exchange, problem, BrowserOutcome.LIMITED, null, endpoint == Endpoint.LOGOUT);
        }
        String supportCode = telemetry.unavailable(exchange, endpoint, clientId(exchange), problem);
        return html.outage(exchange, problem, BrowserOutcome.UNAVAILABLE, supportCode, endpoint == Endpoint.LOGOUT);
    }

    private static String clientId(Exchange exchange) {
        try {
            String given = exchange.queryParameter("client_id");
            return given == null ? "" : given;
        } catch (ProblemException e) {
            return ""; // given more than once
        }
    }
}
