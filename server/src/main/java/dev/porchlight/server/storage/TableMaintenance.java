// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsedChallenges;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.audit.AuditRetention;
import dev.porchlight.server.storage.DatabaseUrl.Engine;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/**
 * Removes expired used challenges and old counts of events, and creates partitions ahead of time. On PostgreSQL expired
 * partitions are dropped. If that is not possible, because the table has none or belongs to another user, rows are deleted. Not
 * thread-safe.
 */
public final class TableMaintenance {
    /** Rows are deleted in steps of this time range, so that no statement takes long. */
    private static final long STEP_MILLIS = 10_000;

    /** Further audit rows are removed in the next run. */
    private static final int PAGES_AT_ONCE = 20;

    private final Sql sql;
    private final Engine engine;
    private final Clock clock;
    private final SqlUsedChallenges challenges;
    private final TimePartitions challengePartitions;
    private final TimePartitions auditPartitions;

    TableMaintenance(Sql sql, Engine engine, Clock clock) {
        this.sql = sql;
        this.engine = engine;
        this.clock = clock;
        challenges = new SqlUsedChallenges(sql, clock);
        challengePartitions = new TimePartitions(sql, PartitionedTable.USED_CHALLENGES);
        auditPartitions = new TimePartitions(sql, PartitionedTable.AUDIT);
    }

    public void run() {
        ReportedEvents.removeOld(sql, clock.millis());
        if (engine == Engine.SQLITE) {
            var unused = challenges.sweep();
            return;
        }
        sweepChallenges();
        TableState audit = auditPartitions.state();
        if (audit != null && audit.owned()) {
            auditPartitions.createAhead(audit, clock.millis());
        }
    }

    private void sweepChallenges() {
        TableState state = challengePartitions.state();
        long expired = clock.millis() - UsedChallenges.KEPT_AFTER_EXPIRY_MILLIS;
        if (state == null || !state.owned()) {
            var unused = challenges.sweep();
            return;
        }
        challengePartitions.createAhead(state, clock.millis());
        for (String partition : challengePartitions.before(expired)) {
            challengePartitions.drop(state, partition, connection -> {});
        }
        delete(state.partition(PartitionedTable.USED_CHALLENGES, TimePartitions.DEFAULT), expired);
    }

    /**
     * Removes audit rows older than this time, and leaves checkpoints. Partitions that are older as a whole are dropped; otherwise
     * their rows stay until all of them are old.
     *
     * @return the number of removed rows and partitions
     */
    public int removeAudit(AuditRetention retention, Instant before) {
        long time = before.toEpochMilli();
        TableState state = engine == Engine.POSTGRESQL ? auditPartitions.state() : null;
        if (state == null || !state.owned()) {
            return deleteAudit(retention, PartitionedTable.AUDIT.table, time);
        }
        int removed = 0;
        for (String partition : auditPartitions.before(time)) {
            List<AuditRetention.Run> runs = retention.runs(partition);
            boolean dropped =
                    auditPartitions.drop(state, partition, connection -> retention.checkpoint(connection, runs));
            removed += dropped ? 1 : 0;
        }
        String rest = state.partition(PartitionedTable.AUDIT, TimePartitions.DEFAULT);
        return removed + deleteAudit(retention, rest, time);
    }

    private static int deleteAudit(AuditRetention retention, String table, long before) {
        int removed = 0;
        int page = -1;
        for (int pages = 0; page != 0 && pages < PAGES_AT_ONCE; pages++) {
            page = retention.delete(table, before);
            removed += page;
        }
        return removed;
    }

    private void delete(String table, long expired) {
        String find = "SELECT COALESCE(MIN(expires_at), ?) FROM " + table + " WHERE expires_at < ?";
        long oldest = oldest(find, expired);
        while (oldest < expired) {
            sql.update("DELETE FROM " + table + " WHERE expires_at < ?", Math.min(oldest + STEP_MILLIS, expired));
            oldest = oldest(find, expired);
        }
    }

    private long oldest(String find, long expired) {
        return sql.query(find, row -> row.getLong(1), expired, expired).get(0);
    }
}
