// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;

/**
 * A budget per key that refills steadily. It holds what may be spent in a minute, which may be spent at once; what was
 * spent comes back at that rate, a quarter of a unit at a time. Implementations are thread-safe.
 */
public interface RateLimit {
    /** The quarters in one unit, in which everything is counted. */
    int WHOLE = 4;

    /** As {@code needed}: spends whatever is left. */
    int ANYTHING = Integer.MIN_VALUE;

    /**
     * Spends from the key's budget, provided that enough of it is left. A cost that exceeds what is left leaves a debt, at
     * most a minute's budget, which the refill pays first.
     *
     * @param cost what is spent, in quarters
     * @param needed what must be left, in quarters
     * @return zero if it was spent, otherwise how long until enough is left
     */
    Duration spend(String key, int cost, int needed);

    /** Spends from the key's budget, provided that all of it is there. */
    default Duration acquire(String key, int cost) {
        return spend(key, cost, cost);
    }

    /** Spends from the key's budget, whatever is left. */
    default void charge(String key, int cost) {
        var unused = spend(key, cost, ANYTHING);
    }

    /** Creates limits, each with its own budgets. */
    interface Source {
        /** A limit of so many units a minute for each key. */
        RateLimit of(String name, int perMinute);
    }
}
