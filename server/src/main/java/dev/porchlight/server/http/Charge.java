// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.RateLimit;
import java.time.Duration;

/** What one request has spent, and of which budgets. Confined to the thread of the request. */
final class Charge {
    /** A request with no credentials fails no authentication: pages ask this way whether a user is signed in. */
    private static final int NOTHING_PRESENTED = 1;

    private final Exchange exchange;
    private final RateLimit ceremonies;
    private final RateLimit requests;
    private final String address;
    private final Cost cost;
    private int spent;

    Charge(Exchange exchange, RateLimit ceremonies, RateLimit requests, String address) {
        this.exchange = exchange;
        this.ceremonies = ceremonies;
        this.requests = requests;
        this.address = address;
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
        if (wait.isZero() || exchange.synthetic()) {
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
