// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/**
 * Remembers used sealed challenges until they expire. Implementations must be thread-safe. If one throws
 * an exception, the ceremony fails and nothing is accepted.
 */
@FunctionalInterface
public interface UsedChallenges {
    /**
     * How long a challenge is remembered after it has expired, in milliseconds. The clocks of the instances may differ by
     * less than this.
     */
    long KEPT_AFTER_EXPIRY_MILLIS = 600_000;

    /**
     * Marks a challenge as used. Returns true to exactly one of all callers with the same id, on all instances.
     *
     * @param id 22 characters of base64url
     * @param expiresAt when the challenge expires, in milliseconds since the epoch; the same for the same id
     */
    boolean use(String id, long expiresAt);
}
