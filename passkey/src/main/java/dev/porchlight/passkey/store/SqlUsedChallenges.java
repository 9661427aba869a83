// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Used challenges in the table {@code passkey_used_challenge} of SQLite or PostgreSQL, shared by every instance on that
 * database. The primary key decides who is first. Safe for use by many threads.
 */
public final class SqlUsedChallenges implements UsedChallenges {
    private static final String USE = "INSERT INTO passkey_used_challenge (expires_at, challenge_id) VALUES (?, ?)"
            + " ON CONFLICT (expires_at, challenge_id) DO NOTHING";
    /** In parts, so that no login waits long for a sweep after a busy time. */
    private static final String SWEEP = "DELETE FROM passkey_used_challenge WHERE (expires_at, challenge_id) IN"
            + " (SELECT expires_at, challenge_id FROM passkey_used_challenge WHERE expires_at < ? LIMIT 1000)";

    private static final int SWEPT_AT_ONCE = 1_000;
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

    /** The same within a transaction of the caller. */
    public static boolean use(Connection connection, String id, long expiresAt) throws SQLException {
        return Sql.update(connection, USE, expiresAt, id) == 1;
    }

    /** Removes what has expired, in parts, and tells how many rows that were. */
    public int sweep() {
        long before = clock.millis() - KEPT_AFTER_EXPIRY_MILLIS;
        int all = 0;
        int removed;
        do {
            removed = sql.update(SWEEP, before);
            all += removed;
        } while (removed == SWEPT_AT_ONCE);
        return all;
    }

    /** Sweeps if the last time was a while ago. A sweep that fails is left to the next caller. */
    public void sweepNowAndThen() {
        long now = clock.millis();
        long last = sweptAt.get();
        // The distance, not the order: a clock set back must not put off the next sweep.
        if (Math.abs(now - last) >= SWEEP_MILLIS && sweptAt.compareAndSet(last, now)) {
            try {
                var unused = sweep();
            } catch (StorageException e) {
                // what was asked for is done
            }
        }
    }
}
