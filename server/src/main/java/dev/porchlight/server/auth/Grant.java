// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.storage.PasskeyAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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

    /** The sign-in of a session. */
    static Grant of(SignIn signIn) {
        // in seconds, as in tokens
        return new Grant(
                signIn.userId(),
                signIn.passkey().credentialId(),
                createdAt(signIn.passkey()),
                null,
                signIn.at().truncatedTo(ChronoUnit.SECONDS));
    }

    public void write(JsonWriter json) {
        json.text("userId", userId)
                .text("credentialId", credentialId)
                .number("passkeyCreatedAt", passkeyCreatedAt)
                .optionalNumber("generation", generation)
                .number("authTime", authTime.getEpochSecond());
    }

    public static Grant read(JsonObject json) throws MalformedException {
        return new Grant(
                json.text("userId"),
                json.text("credentialId"),
                json.integer("passkeyCreatedAt"),
                json.optionalInteger("generation"),
                Instant.ofEpochSecond(json.integer("authTime")));
    }

    /** The time of registration as grants have it. */
    public static long createdAt(CredentialRecord passkey) {
        Instant createdAt = passkey.details().createdAt();
        return createdAt == null ? UNKNOWN : createdAt.toEpochMilli();
    }

    /** Whether it is valid, within a transaction of the caller; see {@link #locked}. */
    public boolean isValid(Connection connection) throws SQLException {
        return locked(connection) != null;
    }

    /**
     * The same with the generation of the user's access, so that it ends with it, within a transaction of the caller; null if
     * it is not valid. It stays valid until that transaction ends: what ends it waits for the user's row.
     */
    public @Nullable Grant locked(Connection connection) throws SQLException {
        PasskeyAccess now = SqlUsers.lockOwner(connection, userId, credentialId)
                ? PasskeyAccess.read(connection, credentialId)
                : null;
        return now != null && isValid(now)
                ? new Grant(userId, credentialId, passkeyCreatedAt, now.user().generation(), authTime)
                : null;
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
