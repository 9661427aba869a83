// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import java.time.Duration;

/**
 * A budget per key that refills steadily. It holds one minute's worth, which may be spent at once and refills at that rate, a
 * quarter of a unit at a time. Implementations are thread-safe.
 */
public interface RateLimit {
    /** The number of quarters in a unit. */
    int WHOLE = 4;

    /** A value for {@code needed}: spends even if nothing is left. */
    int ANYTHING = Integer.MIN_VALUE;

    /**
     * Spends from the key's budget if enough of it is left. A cost beyond that leaves a debt of at most a minute's budget, which
     * refilling pays first.
     *
     * @param cost the quarters to spend
     * @param needed the quarters that must be left
     * @return zero if the cost was spent, otherwise the time until enough is left
     */
    Duration spend(String key, int cost, int needed);

    /** Spends from the key's budget if the whole cost is left. */
    default Duration acquire(String key, int cost) {
        return spend(key, cost, cost);
    }

    /** Spends from the key's budget, even if nothing is left. */
    default void charge(String key, int cost) {
        var unused = spend(key, cost, ANYTHING);
    }

    /** Creates limits with separate budgets. */
    interface Source {
        /** Returns a limit of units per minute and key. */
        RateLimit of(String name, int perMinute);
    }
}
