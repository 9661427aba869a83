// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.RateLimit;
import java.time.Duration;

/**
 * Limits ceremonies per client address, and other requests per signed-in user or authenticated OpenID Connect client, by the
 * {@link Cost} of their routes. No budget depends on an unverified claim, so no caller can use up another's.
 */
public final class RateLimiting implements Middleware {
    /** A signed-in user may send this many requests for each ceremony that an address may perform; so may a browser report. */
    private static final int REQUESTS_PER_CEREMONY = 5;

    /** The quarters of a user's request that a request of a client costs, which acts for many users. */
    private static final int CLIENT_COST = 2;

    private final RateLimit ceremonies;
    private final RateLimit requests;

    /** Creates middleware with a limit of ceremonies per minute and address. */
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

    /** The budgets that one request has spent. Confined to the thread of the request. */
    final class Charge {
        /** A request without credentials is not a failed authentication: pages use it to find out whether a user is signed in. */
        private static final int NOTHING_PRESENTED = 1;

        private final Exchange exchange;
        private final String address;
        private final Cost cost;
        private final boolean openToOtherSites;
        private int spent;

        private Charge(Exchange exchange) {
            this.exchange = exchange;
            this.address = exchange.limitKey();
            this.cost = exchange.endpoint().cost();
            this.openToOtherSites = exchange.endpoint().access().openToOtherSites();
        }

        /** Spends the cost that does not depend on the outcome. */
        void begin() throws ProblemException {
            if (cost == Cost.REPORT) {
                refuseIfLimited(requests.acquire(key("reports"), RateLimit.WHOLE));
            } else if (cost.needed() > 0) {
                refuseIfLimited(ceremonies.spend(ceremonyKey(), cost.quarters(), cost.needed()));
                spent = cost.quarters();
            }
        }

        /** Records that the caller is authenticated. A ceremony is already paid for; anything else is counted per user. */
        void authenticated(String userId) throws ProblemException {
            if (cost == Cost.USER) {
                refuseIfLimited(requests.acquire(key(cost.name()) + ' ' + userId, RateLimit.WHOLE));
            }
        }

        /** Records that a client is authenticated. It has one budget for all addresses. */
        void client(String clientId) throws ProblemException {
            refuseIfLimited(requests.acquire("client " + clientId, CLIENT_COST));
        }

        /** Records that the caller is not authenticated. */
        void unauthenticated(boolean presented) throws ProblemException {
            int missing = (presented ? RateLimit.WHOLE : NOTHING_PRESENTED) - spent;
            if (missing > 0) {
                refuseIfLimited(ceremonies.acquire(ceremonyKey(), missing));
                spent += missing;
            }
        }

        /** Records that the ceremony failed and costs a whole one. The response is final, so it is not refused. */
        void failed() {
            if (spent < RateLimit.WHOLE) {
                ceremonies.charge(ceremonyKey(), RateLimit.WHOLE - spent);
                spent = RateLimit.WHOLE;
            }
        }

        /**
         * Operators have a separate budget, so that a flood that uses up the users' budgets cannot lock them out. So do
         * applications: any site can make its visitors' browsers send such requests, and must not stop sign-in at their address.
         */
        private String ceremonyKey() {
            if (openToOtherSites) {
                return key("applications");
            }
            return cost == Cost.OPERATOR ? key("operators") : address;
        }

        /** The address comes first and has a fixed form, so that no user id can collide with another key. */
        private String key(String kind) {
            return address + ' ' + kind;
        }

        private void refuseIfLimited(Duration wait) throws ProblemException {
            if (wait.isZero()) {
                return;
            }
            long seconds = wait.plusNanos(999_999_999).toSeconds();
            exchange.responseHeader("Retry-After", Long.toString(seconds));
            throw new ProblemException(Problem.of(
                    429,
                    "rate_limited",
                    "Too many requests. Try again in " + seconds + (seconds == 1 ? " second." : " seconds.")));
        }
    }
}
