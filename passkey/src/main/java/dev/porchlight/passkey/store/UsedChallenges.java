// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/**
 * Remembers which sealed challenges were used, until they expire. Implementations are called from many threads at once;
 * one that fails throws an unchecked exception, and the ceremony is refused.
 */
@FunctionalInterface
public interface UsedChallenges {
    /**
     * How long a challenge is remembered after it expired, in milliseconds. Within this time the clocks of the instances
     * may differ.
     */
    long KEPT_AFTER_EXPIRY_MILLIS = 600_000;

    /**
     * Marks a challenge as used. Of all callers with the same id, on all instances, one gets true.
     *
     * @param expiresAt when the challenge expires, in milliseconds since the epoch; the same for the same id
     */
    boolean use(String id, long expiresAt);
}
