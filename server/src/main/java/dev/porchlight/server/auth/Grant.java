// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.storage.PasskeyAccess;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The sign-in that a session or token came from. It is valid while that passkey is registered, the user is not locked, and no
 * sign-out everywhere came after it.
 *
 * @param passkeyCreatedAt when the passkey was registered, in milliseconds, or {@link #UNKNOWN}: the same credential id may be
 *     removed and registered again, which is another passkey
 * @param generation the generation of the user's access; null for a session, which is deleted when it ends
 * @param authTime when the user signed in
 */
public record Grant(
        String userId,
        String credentialId,
        long passkeyCreatedAt,
        @Nullable Long generation,
        Instant authTime) {
    /** For passkeys that were imported without a time. */
    static final long UNKNOWN = 0;

    /** The time of registration as grants have it. */
    public static long createdAt(CredentialRecord passkey) {
        Instant createdAt = passkey.details().createdAt();
        return createdAt == null ? UNKNOWN : createdAt.toEpochMilli();
    }

    /** Whether it is valid, according to this row of the database. */
    boolean isValid(@Nullable PasskeyAccess now) {
        return now != null
                && now.userId().equals(userId)
                && !now.user().locked()
                && (generation == null || generation == now.user().generation())
                && passkeyCreatedAt == (now.createdAt() == null ? UNKNOWN : now.createdAt());
    }
}
