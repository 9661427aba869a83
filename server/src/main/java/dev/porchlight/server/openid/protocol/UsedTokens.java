// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** Remembers, in the database, which assertions, proofs and other marks were used, until they expire. */
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

    /** Removes those that have expired. */
    public static void removeExpired(Sql sql, long now) {
        sql.update("DELETE FROM porchlight_openid_used WHERE expires_at < ?", now);
    }

    private static String hash(String token) {
        return Bytes.ofUtf8(token).sha256().base64Url();
    }
}
