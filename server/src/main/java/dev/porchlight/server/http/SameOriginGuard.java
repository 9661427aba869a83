// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Set;

/**
 * Refuses what another site makes a browser send: requests that change something, and all requests to the auth and admin
 * routes, whose options are asked for with GET and yet leave a challenge behind. Clients that are no browsers send no
 * {@code Sec-Fetch-Site} and are not concerned.
 */
public final class SameOriginGuard implements Middleware {
    private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final Problem CROSS_SITE =
            Problem.of(403, "cross_site", "Requests from other sites are not accepted here");

    private final Set<String> origins;

    /** A guard that lets the pages of these origins through. */
    public SameOriginGuard(Set<String> origins) {
        this.origins = Set.copyOf(origins);
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        if (concerns(exchange) && "cross-site".equals(exchange.header("Sec-Fetch-Site")) && !isOurs(exchange)) {
            throw new ProblemException(CROSS_SITE);
        }
        next.proceed(exchange);
    }

    private static boolean concerns(Exchange exchange) {
        return !SAFE.contains(exchange.endpoint().method())
                || exchange.endpoint().guarded();
    }

    private boolean isOurs(Exchange exchange) {
        String origin = exchange.header("Origin");
        return origin != null && origins.contains(origin);
    }
}
