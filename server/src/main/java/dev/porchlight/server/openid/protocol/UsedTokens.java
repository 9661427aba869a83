// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.UsedChallenges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Remembers, in the database, what may be used once: client assertions, pushed requests and proofs. It is forgotten only
 * {@linkplain UsedChallenges#KEPT_AFTER_EXPIRY_MILLIS some minutes} after it expired, like challenges: the clocks of instances
 * differ, and what one considers expired another still accepts.
 */
public final class UsedTokens {
    private static final String USE = "INSERT INTO porchlight_openid_used (token_hash, expires_at) VALUES (?, ?)"
            + " ON CONFLICT (token_hash) DO NOTHING";

    private UsedTokens() {}

    /** Marks a token as used; false if it was used before, on any instance. */
    public static boolean use(Sql sql, String token, Instant expiresAt) {
        return sql.update(USE, hash(token), expiresAt.toEpochMilli()) == 1;
    }

    /** The same within a transaction of the caller. */
    public static boolean use(Connection connection, String token, Instant expiresAt) throws SQLException {
        return Sql.update(connection, USE, hash(token), expiresAt.toEpochMilli()) == 1;
    }

    /** Whether a token was used, on any instance. */
    public static boolean isUsed(Sql sql, String token) {
        return !sql.query(
                        "SELECT 1 FROM porchlight_openid_used WHERE token_hash = ?", row -> row.getInt(1), hash(token))
                .isEmpty();
    }

    /** Removes those that no instance accepts any more. */
    public static void removeExpired(Sql sql, long now) {
        long expired = now - UsedChallenges.KEPT_AFTER_EXPIRY_MILLIS;
        sql.update("DELETE FROM porchlight_openid_used WHERE expires_at < ?", expired);
    }

    private static String hash(String token) {
        return Bytes.ofUtf8(token).sha256().base64Url();
    }
}
