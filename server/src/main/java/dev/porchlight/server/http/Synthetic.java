// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Set;

/**
 * Tells the canary's requests from those of users, by a secret that this process made for itself and told nobody. A wrong one is
 * like none; so is the right one from another machine, or on a route that the canary never asks.
 */
public final class Synthetic implements Middleware {
    /** The header that holds the secret. */
    public static final String HEADER = "Porchlight-Canary";

    private final byte[] mark;
    private final Set<String> routes;

    /** Knows the canary by its mark, on the routes that it asks. */
    public Synthetic(String mark, Set<String> routes) {
        this.mark = mark.getBytes(UTF_8);
        this.routes = Set.copyOf(routes);
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        String given = exchange.header(HEADER);
        if (given != null
                && MessageDigest.isEqual(given.getBytes(UTF_8), mark)
                && routes.contains(exchange.endpoint().route())
                && exchange.fromThisMachine()) {
            exchange.markSynthetic();
        }
        next.proceed(exchange);
    }
}
