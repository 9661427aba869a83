// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.Set;

/**
 * Refuses what another site makes a browser send: requests that change something, and all requests to the auth and admin
 * routes, whose options are asked for with GET and yet leave a challenge behind. Browsers say it by {@code Sec-Fetch-Site},
 * those from before that header by {@code Origin}; clients that are no browsers send neither and are not concerned.
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
        if (concerns(exchange) && isFromElsewhere(exchange) && !isOurs(exchange)) {
            throw new ProblemException(CROSS_SITE);
        }
        next.proceed(exchange);
    }

    private static boolean concerns(Exchange exchange) {
        return !SAFE.contains(exchange.endpoint().method())
                || exchange.endpoint().guarded();
    }

    /** Pages of the same site are not ours for that: our cookie goes along with what they send, as it does not from others. */
    private static boolean isFromElsewhere(Exchange exchange) {
        String site = exchange.header("Sec-Fetch-Site");
        if (site == null) {
            String origin = exchange.header("Origin");
            return origin != null && !CrossOrigin.isOwn(origin, exchange);
        }
        return "cross-site".equals(site) || "same-site".equals(site);
    }

    private boolean isOurs(Exchange exchange) {
        String origin = exchange.header("Origin");
        return origin != null && origins.contains(origin);
    }
}
