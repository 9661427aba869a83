// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.client;

import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;

/** Turns OpenID Connect off while no client is registered. Thread-safe. */
public final class OpenIdSwitch {
    private final Clients clients;
    private final Handler notFound;

    /**
     * A switch.
     *
     * @param notFound handles requests for unknown paths
     */
    public OpenIdSwitch(Clients clients, Handler notFound) {
        this.clients = clients;
        this.notFound = notFound;
    }

    /** A handler for browsers. While no client is registered, they get the page for unknown paths. */
    public Handler forBrowsers(Handler handler) {
        return exchange -> clients.exist() ? handler.handle(exchange) : notFound.handle(exchange);
    }

    /**
     * Does nothing if a client is registered.
     *
     * @throws ProblemException with status 404 if none is
     */
    public void require() throws ProblemException {
        if (!clients.exist()) {
            throw new ProblemException(Problem.NOT_FOUND);
        }
    }
}
