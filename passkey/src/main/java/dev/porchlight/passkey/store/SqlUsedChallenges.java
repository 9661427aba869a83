// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Used challenges in the table {@code passkey_used_challenge}, shared by every instance on that
 * database. The primary key accepts one of several concurrent uses. Thread-safe.
 */
public final class SqlUsedChallenges implements UsedChallenges {
    private static final SqlDialect.Statement USE = SqlDialect.Statement.insertIfAbsent(
            "INSERT INTO passkey_used_challenge (expires_at, challenge_id) VALUES (?, ?)", "expires_at, challenge_id");
    private static final int BATCH = 1_000;
    /** In the order of the primary key, so that two instances that sweep at once cannot deadlock. */
    private static final SqlDialect.Statement SWEEP = new SqlDialect.Statement(
            "DELETE FROM passkey_used_challenge WHERE (expires_at, challenge_id) IN"
                    + " (SELECT expires_at, challenge_id FROM passkey_used_challenge WHERE expires_at < ?"
                    + " ORDER BY expires_at, challenge_id LIMIT " + BATCH + ")",
            "DELETE FROM passkey_used_challenge WHERE expires_at < ? ORDER BY expires_at, challenge_id LIMIT " + BATCH);

    private static final long SWEEP_MILLIS = 10_000;

    private final Sql sql;
    private final Clock clock;
    private final AtomicLong sweptAt = new AtomicLong();

    /** Creates a store. The clock only affects when expired rows are removed. */
    public SqlUsedChallenges(Sql sql, Clock clock) {
        this.sql = sql;
        this.clock = clock;
    }

    @Override
    public boolean use(String id, long expiresAt) {
        boolean first = sql.insertIfAbsent(USE, expiresAt, id);
        sweepIfDue();
        return first;
    }

    /** {@link #use(String, long)} within a transaction of the caller, without a sweep. */
    public static boolean use(Connection connection, String id, long expiresAt) throws SQLException {
        return Sql.insertIfAbsent(connection, USE, expiresAt, id);
    }

    /** Removes all expired rows in batches, and returns their number. */
    public int sweep() {
        int all = 0;
        int removed;
        do {
            removed = sweepBatch();
            all += removed;
        } while (removed == BATCH);
        return all;
    }

    /**
     * Removes a bounded number of expired rows if the last sweep is a while ago, since a login waits for it. The next caller
     * continues if rows are left, or if the sweep failed.
     */
    public void sweepIfDue() {
        long now = clock.millis();
        long last = sweptAt.get();
        // Compares the distance, so that a clock set back does not delay the next sweep.
        if (Math.abs(now - last) >= SWEEP_MILLIS && sweptAt.compareAndSet(last, now)) {
            try {
                if (sweepBatch() == BATCH) {
                    sweptAt.compareAndSet(now, now - SWEEP_MILLIS);
                }
            } catch (StorageException e) {
                // ignored: the challenge is marked as used
            }
        }
    }

    private int sweepBatch() {
        return sql.update(SWEEP.in(sql.dialect()), clock.millis() - KEPT_AFTER_EXPIRY_MILLIS);
    }
}
