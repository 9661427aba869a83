// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.SqlDialect;
import dev.porchlight.base.sql.StorageException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Challenges in the table {@code passkey_challenge}, shared by every instance on that database.
 * Thread-safe.
 *
 * <p>A challenge is taken by deleting its row: only one caller can delete it, across all
 * instances. The limits are that of {@link MemoryChallengeStore} per user and {@link #TOTAL} in total. Expired rows are removed,
 * and the total is enforced, at most every 10 seconds, by a call that stores a challenge.
 */
public final class SqlChallengeStore implements ChallengeStore {
    /** The maximum number of outstanding challenges per user. */
    public static final int PER_USER = MemoryChallengeStore.PER_USER;

    /** The maximum number of challenges that a sweep leaves in the table. */
    public static final int TOTAL = 1_000_000;

    static final long SWEEP_MILLIS = 10_000;

    private static final String NEWEST =
            "SELECT challenge, expires_at FROM passkey_challenge WHERE user_id = ? ORDER BY expires_at DESC LIMIT 1";
    private static final String STORE =
            "INSERT INTO passkey_challenge (user_id, challenge, expires_at) VALUES (?, ?, ?)"
                    + " ON CONFLICT (user_id, challenge) DO UPDATE SET expires_at = excluded.expires_at"
                    + " RETURNING (SELECT COUNT(*) FROM passkey_challenge AS c WHERE c.user_id = passkey_challenge.user_id)";
    private static final String CLEAR = "DELETE FROM passkey_challenge WHERE user_id = ?";
    private static final String TAKE =
            "DELETE FROM passkey_challenge WHERE user_id = ? AND challenge = ? RETURNING challenge, expires_at";
    /** Deletes the oldest above the limit; literals, because PostgreSQL and SQLite differ in "no limit". */
    private static final String TRIM = "DELETE FROM passkey_challenge WHERE user_id = ? AND challenge IN ("
            + "SELECT challenge FROM (SELECT challenge FROM passkey_challenge WHERE user_id = ?"
            + " ORDER BY expires_at DESC LIMIT 1000000 OFFSET " + PER_USER + ") AS excess)";

    private static final String SWEEP = "DELETE FROM passkey_challenge WHERE expires_at < ?";
    private static final String CAP = "DELETE FROM passkey_challenge WHERE expires_at <= ("
            + "SELECT expires_at FROM (SELECT expires_at FROM passkey_challenge ORDER BY expires_at DESC"
            + " LIMIT 1 OFFSET " + TOTAL + ") AS newest_excess)";

    // MySQL has no RETURNING.
    private static final String MYSQL_STORE =
            "INSERT INTO passkey_challenge (user_id, challenge, expires_at) VALUES (?, ?, ?)"
                    + " ON DUPLICATE KEY UPDATE expires_at = VALUES(expires_at)";
    private static final String MYSQL_COUNT = "SELECT COUNT(*) FROM passkey_challenge WHERE user_id = ?";
    private static final String MYSQL_FIND =
            "SELECT challenge, expires_at FROM passkey_challenge WHERE user_id = ? AND challenge = ?";
    private static final String MYSQL_DELETE =
            "DELETE FROM passkey_challenge WHERE user_id = ? AND challenge = ? AND expires_at = ?";

    private final Sql sql;
    private final Clock clock;
    private final AtomicLong sweptAt = new AtomicLong();

    /** Creates a store with the system clock. */
    public SqlChallengeStore(DataSource dataSource) {
        this(dataSource, Clock.systemUTC());
    }

    /** Creates a store with this clock, which decides when expired rows are removed. */
    public SqlChallengeStore(DataSource dataSource, Clock clock) {
        this.sql = new Sql(dataSource);
        this.clock = clock;
    }

    @Override
    public @Nullable StoredChallenge getChallenge(String userId) {
        return Sql.first(sql.query(NEWEST, SqlChallengeStore::read, userId));
    }

    @Override
    public void setChallenge(String userId, String challenge, long expiresAt) {
        long outstanding = store(userId, challenge, expiresAt);
        try {
            cleanUp(userId, outstanding);
        } catch (StorageException e) {
            // Concurrent cleanups of the same rows can conflict. The challenge is stored; the next caller cleans up.
        }
    }

    @Override
    public void clearChallenge(String userId) {
        sql.update(CLEAR, userId);
    }

    @Override
    public @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
        // PostgreSQL cannot store NUL, so a challenge with one was never stored.
        boolean storable = challenge.indexOf('\0') < 0;
        return storable ? take(userId, challenge) : null;
    }

    private long store(String userId, String challenge, long expiresAt) {
        if (sql.dialect() == SqlDialect.MYSQL) {
            sql.update(MYSQL_STORE, userId, challenge, expiresAt);
            return sql.query(MYSQL_COUNT, row -> row.getLong(1), userId).get(0);
        }
        return sql.query(STORE, row -> row.getLong(1), userId, challenge, expiresAt)
                .get(0);
    }

    /** Only one caller deletes the row: on MySQL, the number of deleted rows decides. */
    private @Nullable StoredChallenge take(String userId, String challenge) {
        if (sql.dialect() == SqlDialect.STANDARD) {
            return Sql.first(sql.query(TAKE, SqlChallengeStore::read, userId, challenge));
        }
        StoredChallenge found = Sql.first(sql.query(MYSQL_FIND, SqlChallengeStore::read, userId, challenge));
        boolean taken = found != null && sql.update(MYSQL_DELETE, userId, challenge, found.expiresAt()) == 1;
        return taken ? found : null;
    }

    private void cleanUp(String userId, long outstanding) {
        if (outstanding >= PER_USER) {
            sql.update(TRIM, userId, userId);
        }
        long now = clock.millis();
        long last = sweptAt.get();
        // Compares the distance, so that a clock set back does not delay the next sweep.
        if (Math.abs(now - last) >= SWEEP_MILLIS && sweptAt.compareAndSet(last, now)) {
            sql.update(SWEEP, now - MemoryChallengeStore.GRACE_MILLIS);
            sql.update(CAP);
        }
    }

    private static StoredChallenge read(ResultSet row) throws SQLException {
        return new StoredChallenge(row.getString(1), row.getLong(2));
    }
}
