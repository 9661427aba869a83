// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.RateLimit;

/**
 * The rate-limit cost of a request, in quarters of a ceremony. The first half of a ceremony and its successful second half
 * cost one ceremony together; a second half that fails costs a whole one by itself.
 */
enum Cost {
    /** Costs nothing: pages, keys, health. */
    NONE(0, 0),
    /** Begins a ceremony. Browsers also do this when a sign-in page opens, and many of those are abandoned. */
    OPTIONS(1, 1),
    /**
     * Ends a ceremony. Accepted while any budget is left, so that under load a ceremony is refused at its beginning
     * rather than at its end.
     */
    FINISH(3, 1),
    /** Creates something for a stranger. */
    SIGNUP(RateLimit.WHOLE, RateLimit.WHOLE),
    /** A browser's report, counted by address apart from ceremonies. */
    REPORT(0, 0),
    /** Needs a signed-in user, whose own budget it is counted in; failed authentication is counted by address. */
    USER(0, 0),
    /** Needs an operator. Requires a whole ceremony to be left, so that guesses at the token are bounded. */
    OPERATOR(0, RateLimit.WHOLE);

    private final int quarters;
    private final int needed;

    Cost(int quarters, int needed) {
        this.quarters = quarters;
        this.needed = needed;
    }

    /** What is spent of the address's budget before the request is handled. */
    int quarters() {
        return quarters;
    }

    /** What must be left of that budget. */
    int needed() {
        return needed;
    }
}
