// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.passkey.store.Sql;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import java.time.Clock;
import java.time.Instant;

/**
 * Removes used challenges that have expired, and prepares the partitions of the time to come. On PostgreSQL, expired
 * partitions are dropped. Where that is not possible, because the table has none or belongs to another user, rows are
 * deleted. For one thread.
 */
public final class Upkeep {
    private static final int AT_ONCE = 1_000;

    private final Sql sql;
    private final Engine engine;
    private final Clock clock;
    private final SqlUsedChallenges challenges;
    private final TimePartitions challengePartitions;
    private final TimePartitions auditPartitions;

    Upkeep(Sql sql, Engine engine, Clock clock) {
        this.sql = sql;
        this.engine = engine;
        this.clock = clock;
        challenges = new SqlUsedChallenges(sql, clock);
        challengePartitions = new TimePartitions(sql, PartitionedTable.USED_CHALLENGES);
        auditPartitions = new TimePartitions(sql, PartitionedTable.AUDIT);
    }

    /** Does what is due. */
    public void run() {
        TableState partitioned = engine == Engine.POSTGRESQL ? challengePartitions.owned() : null;
        if (partitioned == null) {
            var unused = challenges.sweep();
        } else {
            long expired = clock.millis() - UsedChallenges.KEPT_AFTER_EXPIRY_MILLIS;
            challengePartitions.createAhead(partitioned, clock.millis());
            challengePartitions.dropBefore(expired);
            sweepDefault(partitioned, expired);
        }
        TableState audit = engine == Engine.POSTGRESQL ? auditPartitions.owned() : null;
        if (audit != null) {
            auditPartitions.createAhead(audit, clock.millis());
        }
    }

    /** Drops the partitions with audit rows that are all older, and returns how many there were. */
    public int dropAuditBefore(Instant time) {
        return engine == Engine.POSTGRESQL && auditPartitions.owned() != null
                ? auditPartitions.dropBefore(time.toEpochMilli())
                : 0;
    }

    private void sweepDefault(TableState state, long expired) {
        String name = state.partition(PartitionedTable.USED_CHALLENGES, TimePartitions.DEFAULT);
        String sweep = "DELETE FROM " + name + " WHERE ctid = ANY (ARRAY(SELECT ctid FROM " + name
                + " WHERE expires_at < ? LIMIT " + AT_ONCE + "))";
        int removed;
        do {
            removed = sql.update(sweep, expired);
        } while (removed == AT_ONCE);
    }
}
