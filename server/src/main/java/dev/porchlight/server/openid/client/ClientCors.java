// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import java.util.function.Predicate;

/** Lets the pages of public clients read responses (CORS). No other page may. Thread-safe. */
public final class ClientCors {
    private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
    private static final String PREFLIGHT_SECONDS = "600";

    private final OpenIdSwitch openId;
    private final Clients clients;

    public ClientCors(OpenIdSwitch openId, Clients clients) {
        this.openId = openId;
        this.clients = clients;
    }

    /** Allows the page of this client to read the response, if a page of it sent the request. */
    public void allow(Exchange exchange, Client client) {
        allow(exchange, origin -> client.pageOrigins().anyMatch(origin::equals));
    }

    /** Allows the pages of all public clients to read a refusal whose client is unknown. */
    public void allowRefusal(Exchange exchange) {
        allow(exchange, clients::havePageAt);
    }

    private static void allow(Exchange exchange, Predicate<String> pages) {
        exchange.responseHeader("Vary", "Origin");
        String origin = exchange.header("Origin");
        if (origin != null && pages.test(origin)) {
            exchange.responseHeader(ALLOW_ORIGIN, origin);
            exchange.responseHeader("Cross-Origin-Resource-Policy", "cross-origin");
        }
    }

    /** Handles a preflight request, which does not name the client. Anyone can send it, so it counts for the address. */
    public Response preflight(Exchange exchange) throws ProblemException {
        openId.require();
        exchange.unauthenticated(false);
        exchange.responseHeader("Vary", "Origin");
        String origin = exchange.header("Origin");
        return origin != null && clients.havePageAt(origin)
                ? Response.of(204)
                        .with(ALLOW_ORIGIN, origin)
                        .with("Access-Control-Allow-Methods", "GET, POST")
                        .with("Access-Control-Allow-Headers", "authorization, content-type, dpop")
                        .with("Access-Control-Max-Age", PREFLIGHT_SECONDS)
                : Response.of(204);
    }
}
