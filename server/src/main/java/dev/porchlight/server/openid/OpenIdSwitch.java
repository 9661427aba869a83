// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;

/** Turns OpenID Connect off while no client is registered. Thread-safe. */
final class OpenIdSwitch {
    private final Clients clients;

    OpenIdSwitch(Clients clients) {
        this.clients = clients;
    }

    /**
     * Does nothing if a client is registered.
     *
     * @throws ProblemException with status 404 if none is
     */
    void require() throws ProblemException {
        if (!clients.exist()) {
            throw new ProblemException(Problem.NOT_FOUND);
        }
    }

    /**
     * Counts a request that anyone can send for its address, if a client is registered.
     *
     * @throws ProblemException with status 404 if none is, and 429 if the address's budget is used up
     */
    void charge(Exchange exchange) throws ProblemException {
        require();
        exchange.unauthenticated(false);
    }
}
