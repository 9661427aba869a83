// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import org.jspecify.annotations.Nullable;

/** The challenge store under test, behind the four operations a {@link ChallengeStoreContract} calls. */
public interface ChallengeSubject {
    /** A challenge and when it expires, in milliseconds since 1970. */
    record Entry(String challenge, long expiresAt) {}

    /** A challenge that is outstanding for the user, or null; the newest if there are several. */
    @Nullable
    Entry get(String userId);

    void set(String userId, String challenge, long expiresAt);

    /** Removes all challenges of the user. */
    void clear(String userId);

    /** Removes this challenge of this user and returns it, or null when it is not there (any more). */
    @Nullable
    Entry take(String userId, String challenge);
}
