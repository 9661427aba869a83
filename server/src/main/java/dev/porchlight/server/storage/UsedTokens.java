// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.UsedChallenges;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Remembers, in the database, what may be used once: client assertions, pushed requests and proofs. It is forgotten only
 * {@linkplain UsedChallenges#KEPT_AFTER_EXPIRY_MILLIS some minutes} after it expired, like challenges: the clocks of instances
 * differ, and what one considers expired another still accepts. Also counts events that are reported only now and then.
 */
public final class UsedTokens {
    private static final String USE = "INSERT INTO porchlight_openid_used (token_hash, expires_at) VALUES (?, ?)"
            + " ON CONFLICT (token_hash) DO NOTHING";

    private static final String COUNT =
            "INSERT INTO porchlight_openid_used (token_hash, expires_at, uses) VALUES (?, ?, 1) ON CONFLICT (token_hash)"
                    + " DO UPDATE SET uses = porchlight_openid_used.uses + 1 RETURNING uses, expires_at";
    private static final String REPORT =
            "UPDATE porchlight_openid_used SET uses = 1, expires_at = ? WHERE token_hash = ?";

    /** How long events are counted after the last report. */
    private static final Duration COUNTED = Duration.ofDays(2);

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

    /** How often an event occurred since its last report, with that report's expiry. */
    private record Count(long uses, long expiresAt) {}

    /**
     * Counts an event, within a transaction of the caller. It is reported if the last report, by any instance, is older, and
     * so are some after it.
     *
     * @param older the time before which the last report must be
     * @param some how many events are reported at once
     * @return the number of events since then that were not reported; empty if this one is not reported either
     */
    public static OptionalLong count(Connection connection, String event, Instant now, Instant older, int some)
            throws SQLException {
        String hash = hash(event);
        long expiresAt = now.plus(COUNTED).toEpochMilli();
        Count count = Sql.query(connection, COUNT, row -> new Count(row.getLong(1), row.getLong(2)), hash, expiresAt)
                .get(0);
        if (count.uses <= some) {
            return OptionalLong.of(0);
        }
        if (count.expiresAt >= older.plus(COUNTED).toEpochMilli()) {
            return OptionalLong.empty();
        }
        Sql.update(connection, REPORT, expiresAt, hash);
        return OptionalLong.of(count.uses - 1 - some); // without this one and those that were reported
    }

    /** Whether an event was reported after a time, by any instance. */
    public static boolean isReported(Sql sql, String event, Instant after) {
        String find = "SELECT expires_at FROM porchlight_openid_used WHERE token_hash = ?";
        Long expiresAt = Sql.first(sql.query(find, row -> row.getLong(1), hash(event)));
        return expiresAt != null && expiresAt >= after.plus(COUNTED).toEpochMilli();
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
