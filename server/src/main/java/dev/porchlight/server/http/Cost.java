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
    /** Creates a user, or uses a recovery code, without authentication. */
    SIGNUP(RateLimit.WHOLE, RateLimit.WHOLE),
    /** A browser's report, counted per address separately from ceremonies. */
    REPORT(0, 0),
    /** Needs a signed-in user, and is counted per user; failed authentication is counted per address. */
    USER(0, 0),
    /** Needs an operator. Only wrong tokens are counted, per address: guesses must not lock out the right one. */
    OPERATOR(0, 0);

    private final int quarters;
    private final int needed;

    Cost(int quarters, int needed) {
        this.quarters = quarters;
        this.needed = needed;
    }

    /** The part of the address's budget that is spent before the request is handled. */
    int quarters() {
        return quarters;
    }

    /** The part of that budget that must be left. */
    int needed() {
        return needed;
    }
}
