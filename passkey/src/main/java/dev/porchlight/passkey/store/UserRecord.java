// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user as authenticators know them. Immutable.
 *
 * @param userId the application's id, which is never sent to an authenticator
 * @param userHandle base64url of 32 random bytes, WebAuthn's {@code user.id}
 * @param name the account name, WebAuthn's {@code user.name}, if it was given
 * @param displayName the user's name for display, if it was given
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
