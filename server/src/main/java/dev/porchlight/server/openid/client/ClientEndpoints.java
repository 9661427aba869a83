// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.ClientAuthenticator.Claim;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * What all endpoints of OpenID Connect share: they are off while no client is registered, authenticate the clients that call
 * them, let the pages of public clients read responses (CORS; no other page may), and report refusals. Thread-safe.
 *
 * @param html for the pages that users see
 * @param notFound handles requests for unknown paths
 */
public record ClientEndpoints(
        String issuer,
        Clients clients,
        ClientAuthenticator authenticator,
        OpenIdTelemetry telemetry,
        Html html,
        Handler notFound) {
    private static final String PREFLIGHT_SECONDS = "600";

    /** Handles a request of an authenticated client. */
    @FunctionalInterface
    public interface ClientHandler {
        Response handle(Exchange exchange, Client client, Parameters parameters)
                throws RefusedException, ProblemException;
    }

    /** A handler for browsers. While no client is registered, they get the page for unknown paths. */
    public Handler forBrowsers(Handler handler) {
        return exchange -> clients.exist() ? handler.handle(exchange) : notFound.handle(exchange);
    }

    /** Refuses a request with status 404 if no client is registered. */
    public void requireClients() throws ProblemException {
        if (!clients.exist()) {
            throw new ProblemException(Problem.NOT_FOUND);
        }
    }

    /** Mounts an endpoint that clients call themselves. The handler gets the client that was authenticated. */
    public void mount(Router.Builder router, String path, Endpoint endpoint, ClientHandler handler) {
        router.post(path, Access.OPENID_CLIENT, exchange -> handle(exchange, endpoint, handler));
        mountPreflight(router, path);
    }

    private Response handle(Exchange exchange, Endpoint endpoint, ClientHandler handler)
            throws ProblemException, IOException {
        requireClients();
        String clientId = "";
        boolean authenticated = false;
        try {
            Parameters parameters = Parameters.of(exchange);
            Claim claim = Claim.of(exchange.headers("Authorization"), parameters);
            clientId = claim.clientId();
            parameters.requireSingle();
            Client client = authenticator.recognize(claim);
            clientId = client.id();
            if (!client.isPublic()) {
                if (claim.given() instanceof PrivateKeyJWT assertion) {
                    authenticator.requireUnused(clientId, assertion); // anyone may have it: a used one spends nothing
                }
                exchange.client(clientId); // before anything is stored
                if (claim.given() instanceof PrivateKeyJWT assertion) {
                    authenticator.useUp(clientId, assertion);
                }
                authenticated = true;
            }
            allowPage(exchange, client);
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
            String supportCode = telemetry.refused(exchange, endpoint, clientId, e.userId(), refusal);
            boolean unauthenticated = refusal.reason() == Reason.INVALID_CLIENT;
            Response response = refusal.response(unauthenticated ? 401 : 400, supportCode);
            return unauthenticated && exchange.header("Authorization") != null
                    ? response.with("WWW-Authenticate", "Basic realm=\"porchlight\"")
                    : response;
        } catch (ProblemException e) {
            telemetry.failed(exchange, endpoint, clientId, e.problem());
            throw e;
        }
    }

    /** Allows the page of this client to read the response, if a page of it sent the request. */
    public void allowPage(Exchange exchange, Client client) {
        allow(exchange, origin -> client.pageOrigins().anyMatch(origin::equals));
    }

    /** Allows the pages of all public clients to read a refusal whose client is unknown. */
    public void allowAnyPage(Exchange exchange) {
        allow(exchange, clients::havePageAt);
    }

    private static boolean allow(Exchange exchange, Predicate<String> pages) {
        exchange.responseHeader("Vary", "Origin");
        String origin = exchange.header("Origin");
        if (origin == null || !pages.test(origin)) {
            return false;
        }
        exchange.responseHeader("Access-Control-Allow-Origin", origin);
        exchange.responseHeader("Cross-Origin-Resource-Policy", "cross-origin");
        return true;
    }

    /** Responds to preflight requests, which do not name the client. Anyone can send them, so they count for the address. */
    public void mountPreflight(Router.Builder router, String path) {
        router.add(Method.OPTIONS, path, Access.OPENID_PREFLIGHT, exchange -> {
            requireClients();
            exchange.unauthenticated(false);
            return allow(exchange, clients::havePageAt)
                    ? Response.of(204)
                            .with("Access-Control-Allow-Methods", "GET, POST")
                            .with("Access-Control-Allow-Headers", "authorization, content-type, dpop")
                            .with("Access-Control-Max-Age", PREFLIGHT_SECONDS)
                    : Response.of(204);
        });
    }

    /** Reports a refused request of a browser, and explains it to the user in a page with a support code. */
    public Response page(Exchange exchange, Endpoint endpoint, String clientId, Refusal refusal) {
        String supportCode = telemetry.refused(exchange, endpoint, clientId, "", refusal);
        return html.refusal(exchange, refusal, supportCode, null, endpoint == Endpoint.LOGOUT);
    }
}
