// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import org.jspecify.annotations.Nullable;

/** The challenge store under test, behind the four operations that a {@link ChallengeStoreContract} calls. */
public interface ChallengeSubject {
    /** A challenge and its expiry in milliseconds since the epoch. */
    record Entry(String challenge, long expiresAt) {}

    /** Returns the newest outstanding challenge of the user, or null. */
    @Nullable
    Entry get(String userId);

    void set(String userId, String challenge, long expiresAt);

    /** Removes all challenges of the user. */
    void clear(String userId);

    /** Removes this challenge of this user and returns it, or null if it does not exist. */
    @Nullable
    Entry take(String userId, String challenge);
}
