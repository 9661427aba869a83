// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user as authenticators know him.
 *
 * @param userId the application's id, never told to an authenticator
 * @param userHandle base64url of 32 random bytes, WebAuthn's {@code user.id}
 * @param name what tells accounts apart, WebAuthn's {@code user.name}, if it was given
 * @param displayName what the user is called, if it was given
 */
public record UserRecord(
        String userId,
        String userHandle,
        @Nullable String name,
        @Nullable String displayName) {
    public UserRecord {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(userHandle, "userHandle");
    }
}
