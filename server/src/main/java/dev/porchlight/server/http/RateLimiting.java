// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.server.limit.RateLimit;

/**
 * Limits ceremonies per client address, and other requests per signed-in user, by the {@link Cost} of their routes. No
 * budget goes by anything that a caller merely claims, so no caller can use up another user's. The canary is counted on
 * its own and never refused.
 */
public final class RateLimiting implements Middleware {
    /** A signed-in user may make five requests for each ceremony that an address may make; so may a browser report. */
    private static final int REQUESTS_PER_CEREMONY = 5;

    /** Not that of its address, which may be a proxy's on this machine, and so its users'. */
    private static final String CANARY = "canary";

    private final RateLimit ceremonies;
    private final RateLimit requests;

    /** Middleware with a limit of ceremonies a minute for each address. */
    public RateLimiting(int perMinute, RateLimit.Source limits) {
        ceremonies = limits.of("ceremonies", perMinute);
        requests = limits.of("requests", perMinute * REQUESTS_PER_CEREMONY);
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        Cost cost = exchange.endpoint().cost();
        if (cost == Cost.NONE) {
            next.proceed(exchange);
            return;
        }
        String address = exchange.synthetic() ? CANARY : ClientAddresses.limitKey(exchange.clientAddress());
        Charge charge = new Charge(exchange, ceremonies, requests, address);
        exchange.charge(charge);
        charge.begin();
        if (cost == Cost.FINISH) {
            finish(exchange, next, charge);
        } else {
            next.proceed(exchange);
        }
    }

    private static void finish(Exchange exchange, Next next, Charge charge) throws Exception {
        try {
            next.proceed(exchange);
        } finally {
            if (exchange.status() < 200 || exchange.status() >= 300) {
                charge.failed();
            }
        }
    }
}
