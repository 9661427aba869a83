// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.server.limit.RateLimit;
import java.time.Duration;

/**
 * Limits ceremonies per client address, and other requests per signed-in user, by the {@link Cost} of their routes. No
 * budget goes by anything that a caller merely claims, so no caller can use up another user's.
 */
public final class RateLimiting implements Middleware {
    /** A signed-in user may make five requests for each ceremony that an address may make; so may a browser report. */
    private static final int REQUESTS_PER_CEREMONY = 5;

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
        Charge charge = new Charge(exchange);
        exchange.charge(charge);
        charge.begin();
        try {
            next.proceed(exchange);
        } finally {
            if (cost == Cost.FINISH && (exchange.status() < 200 || exchange.status() >= 300)) {
                charge.failed();
            }
        }
    }

    /** What one request has spent of which budgets. Confined to the thread of the request. */
    final class Charge {
        /** A request with no credentials fails no authentication: pages ask this way whether a user is signed in. */
        private static final int NOTHING_PRESENTED = 1;

        private final Exchange exchange;
        private final String address;
        private final Cost cost;
        private int spent;

        private Charge(Exchange exchange) {
            this.exchange = exchange;
            this.address = ClientAddresses.limitKey(exchange.clientAddress());
            this.cost = exchange.endpoint().cost();
        }

        /** Spends what the request costs whatever its outcome. */
        void begin() throws ProblemException {
            if (cost == Cost.REPORT) {
                refuseAfter(requests.acquire(key("reports"), RateLimit.WHOLE));
            } else if (cost.needed() > 0) {
                refuseAfter(ceremonies.spend(ceremonyKey(), cost.quarters(), cost.needed()));
                spent = cost.quarters();
            }
        }

        /** The caller has proven who they are. A ceremony is paid for already; anything else is counted by user. */
        void authenticated(String userId) throws ProblemException {
            if (cost == Cost.USER || cost == Cost.OPERATOR) {
                refuseAfter(requests.acquire(key(cost.name()) + ' ' + userId, RateLimit.WHOLE));
            }
        }

        /** The caller has not proven who they are. */
        void unauthenticated(boolean presented) throws ProblemException {
            int missing = (presented ? RateLimit.WHOLE : NOTHING_PRESENTED) - spent;
            if (missing > 0) {
                refuseAfter(ceremonies.acquire(ceremonyKey(), missing));
                spent += missing;
            }
        }

        /** The ceremony failed and costs a whole one. It is over, so it is not refused any more. */
        void failed() {
            if (spent < RateLimit.WHOLE) {
                ceremonies.charge(ceremonyKey(), RateLimit.WHOLE - spent);
                spent = RateLimit.WHOLE;
            }
        }

        /** Operators have a budget of their own: a flood that uses up the users' is what they want to look at. */
        private String ceremonyKey() {
            return cost == Cost.OPERATOR ? key("operators") : address;
        }

        /** The address comes first and has a fixed form, so that no user id makes the key of another. */
        private String key(String kind) {
            return address + ' ' + kind;
        }

        private void refuseAfter(Duration wait) throws ProblemException {
            if (wait.isZero()) {
                return;
            }
            long seconds = wait.plusNanos(999_999_999).toSeconds();
            exchange.responseHeader("Retry-After", Long.toString(seconds));
            throw new ProblemException(Problem.of(
                    429,
                    "rate_limited",
                    "Too many requests. Try again in " + seconds + (seconds == 1 ? " second" : " seconds")));
        }
    }
}
