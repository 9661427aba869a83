// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.server.limit.RateLimit;
import java.time.Duration;

/**
 * Bounds how often the guarded routes are asked: per client address, and per user id for login options. A user id
 * has five times an address's budget, so that a stranger at one address cannot use up somebody else's; and to finish a login
 * costs none of it, so that nobody can hold up one that is under way. The canary is counted on its own and never refused.
 */
public final class RateLimiting implements Middleware {
    private static final int USER_FACTOR = 5;
    /** Less than the challenges that are kept per user, so that nobody pushes one out within a minute. */
    private static final int USER_LIMIT = 240;

    /** Operators have a budget of their own: a flood that uses up the users' is what they want to look at. */
    private static final String OPERATORS = "operators at ";

    /** Not that of its address, which may be a proxy's on this machine, and so its users'. */
    private static final String CANARY = "canary";

    private static final Problem TOO_MANY = Problem.of(429, "rate_limited", "Too many requests; try again in a moment");

    private final RateLimit byAddress;
    private final RateLimit byUser;

    public RateLimiting(int perMinute, RateLimit.Source limits) {
        byAddress = limits.of("address", perMinute);
        byUser = limits.of("user", Math.min(perMinute * USER_FACTOR, USER_LIMIT));
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        String route = exchange.endpoint().route();
        if (exchange.endpoint().guarded()) {
            String address = exchange.synthetic() ? CANARY : ClientAddresses.limitKey(exchange.clientAddress());
            spend(exchange, byAddress, exchange.endpoint().forOperators() ? OPERATORS + address : address);
            String userId = route.equals("/auth/passkey/login/options") ? exchange.queryParameter("userId") : null;
            if (userId != null) {
                spend(exchange, byUser, userId);
            }
        }
        next.proceed(exchange);
    }

    private static void spend(Exchange exchange, RateLimit limit, String key) throws ProblemException {
        Duration wait = limit.acquire(key);
        if (!wait.isZero() && !exchange.synthetic()) {
            exchange.responseHeader("Retry-After", Long.toString(wait.toSeconds() + 1));
            throw new ProblemException(TOO_MANY);
        }
    }
}
