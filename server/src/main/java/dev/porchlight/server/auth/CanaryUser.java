// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import org.jspecify.annotations.Nullable;

/** The user id that is the canary's. It is reserved whether or not a canary runs, so that nobody can take it beforehand. */
public final class CanaryUser {
    public static final String ID = "porchlight:canary";

    /** The reason on record when somebody else would sign in as it. */
    public static final String REFUSED = "canary_user";

    private CanaryUser() {}

    public static boolean is(@Nullable String userId) {
        return ID.equals(userId);
    }

    /** Whether somebody may be signed in as that user: as the canary's, only the canary. */
    public static boolean admits(@Nullable String userId, boolean synthetic) {
        return synthetic || !is(userId);
    }

    /** The id, which must be somebody else's. */
    public static String refuse(String userId) {
        if (is(userId)) {
            throw new IllegalArgumentException("the user id " + ID + " is the canary's");
        }
        return userId;
    }
}
