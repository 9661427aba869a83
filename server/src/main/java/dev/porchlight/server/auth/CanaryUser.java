// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import org.jspecify.annotations.Nullable;

/** The user id that is the canary's. It is reserved whether or not a canary runs, so that nobody can take it beforehand. */
public final class CanaryUser {
    public static final String ID = "porchlight:canary";

    private CanaryUser() {}

    public static boolean is(@Nullable String userId) {
        return ID.equals(userId);
    }

    /** The id, which must be somebody else's. */
    public static String refuse(String userId) {
        if (is(userId)) {
            throw new IllegalArgumentException("the user id " + ID + " is the canary's");
        }
        return userId;
    }
}
