// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Used challenges in the table {@code passkey_used_challenge} of SQLite or PostgreSQL, shared by every instance on that
 * database. Of several concurrent uses the primary key accepts one. Thread-safe.
 */
public final class SqlUsedChallenges implements UsedChallenges {
    private static final String USE = "INSERT INTO passkey_used_challenge (expires_at, challenge_id) VALUES (?, ?)"
            + " ON CONFLICT (expires_at, challenge_id) DO NOTHING";
    private static final int SWEPT_AT_ONCE = 1_000;
    /** In the order of the primary key, so that two instances that sweep at once cannot deadlock. */
    private static final String SWEEP = "DELETE FROM passkey_used_challenge WHERE (expires_at, challenge_id) IN"
            + " (SELECT expires_at, challenge_id FROM passkey_used_challenge WHERE expires_at < ?"
            + " ORDER BY expires_at, challenge_id LIMIT " + SWEPT_AT_ONCE + ")";

    private static final long SWEEP_MILLIS = 10_000;

    private final Sql sql;
    private final Clock clock;
    private final AtomicLong sweptAt = new AtomicLong();

    /** The clock decides only when expired rows are removed. */
    public SqlUsedChallenges(Sql sql, Clock clock) {
        this.sql = sql;
        this.clock = clock;
    }

    @Override
    public boolean use(String id, long expiresAt) {
        boolean first = sql.update(USE, expiresAt, id) == 1;
        sweepNowAndThen();
        return first;
    }

    /** {@link #use(String, long)} within a transaction of the caller, without a sweep. */
    public static boolean use(Connection connection, String id, long expiresAt) throws SQLException {
        return Sql.update(connection, USE, expiresAt, id) == 1;
    }

    /** Removes all rows that need not be kept, in parts, and returns their number. */
    public int sweep() {
        int all = 0;
        int removed;
        do {
            removed = sweepPart();
            all += removed;
        } while (removed == SWEPT_AT_ONCE);
        return all;
    }

    /**
     * Removes some of these rows if the last time was a while ago: a bounded number, since a login waits for it. If more
     * are left, the next caller goes on. A sweep that fails is left to a later caller.
     */
    public void sweepNowAndThen() {
        long now = clock.millis();
        long last = sweptAt.get();
        // The distance, not the order: a clock set back must not put off the next sweep.
        if (Math.abs(now - last) >= SWEEP_MILLIS && sweptAt.compareAndSet(last, now)) {
            try {
                if (sweepPart() == SWEPT_AT_ONCE) {
                    sweptAt.compareAndSet(now, now - SWEEP_MILLIS);
                }
            } catch (StorageException e) {
                // the challenge is marked as used, which is what the caller needs
            }
        }
    }

    private int sweepPart() {
        return sql.update(SWEEP, clock.millis() - KEPT_AFTER_EXPIRY_MILLIS);
    }
}
