// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;

/** Allows each key a number of requests in any sixty seconds. Implementations are safe for use by many threads. */
public interface RateLimit {

    /** Spends one request of the key's budget: zero if there was one, otherwise how long until there is. */
    Duration acquire(String key);

    /** Makes limits, each with budgets of its own. */
    interface Source {
        RateLimit of(String name, int perMinute);
    }
}
