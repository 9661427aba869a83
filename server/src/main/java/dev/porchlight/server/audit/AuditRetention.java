// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAnchor.Head;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Removes old audit rows and leaves signed checkpoints in their place, so that the chains still verify. Not thread-safe. */
public final class AuditRetention {
    /** The page size, which keeps transactions short. */
    private static final int PAGE = 1_000;

    private static final String OLDEST =
            "SELECT chain, seq, hash FROM %s WHERE at < ? ORDER BY at, chain, seq LIMIT " + PAGE;
    private static final String NEXT =
            "SELECT chain, seq, hash FROM %s WHERE (chain, seq) > (?, ?) ORDER BY chain, seq LIMIT " + PAGE;
    private static final String DELETE = "DELETE FROM %s WHERE chain = ? AND seq BETWEEN ? AND ? AND at < ?";

    /** Locks a row, so that one instance at a time removes rows. */
    private static final String ALONE = "INSERT INTO porchlight_lock (name) VALUES ('audit-retention')"
            + " ON CONFLICT (name) DO UPDATE SET name = excluded.name";

    /** Consecutive rows of one chain. */
    public record Run(String chain, long from, long to, String hash) {}

    private final Sql sql;
    private final AuditStore store;
    private final KeyedHash hashing;

    public AuditRetention(Sql sql, byte[] key) {
        this.sql = sql;
        this.store = new AuditStore(sql);
        this.hashing = new KeyedHash(key);
    }

    /** Deletes a page of rows older than this time, oldest first, and returns their number. */
    public int delete(String table, long before) {
        Set<String> referenced = references();
        return sql.transaction("remove old audit rows", connection -> {
            Sql.update(connection, ALONE);
            List<Head> page =
                    new ArrayList<>(Sql.query(connection, OLDEST.formatted(table), AuditStore::readPlace, before));
            page.sort(Comparator.comparing(Head::chain).thenComparing(Head::seq));
            List<Run> runs = new ArrayList<>();
            page.forEach(row -> add(runs, row, referenced));
            for (Run run : runs) {
                Sql.update(connection, DELETE.formatted(table), run.chain(), run.from(), run.to(), before);
            }
            checkpoint(connection, runs, referenced);
            return page.size();
        });
    }

    /** The runs of a table that is about to be dropped. */
    public List<Run> runs(String table) {
        List<Run> runs = new ArrayList<>();
        Set<String> referenced = references();
        Head last = new Head("", -1, "");
        List<Head> page = sql.query(NEXT.formatted(table), AuditStore::readPlace, last.chain(), last.seq());
        while (!page.isEmpty()) {
            page.forEach(row -> add(runs, row, referenced));
            last = page.get(page.size() - 1);
            page = sql.query(NEXT.formatted(table), AuditStore::readPlace, last.chain(), last.seq());
        }
        return runs;
    }

    /** Writes checkpoints for rows that are removed within a transaction of the caller. */
    public void checkpoint(Connection connection, List<Run> runs) throws SQLException {
        checkpoint(connection, runs, references());
    }

    private void checkpoint(Connection connection, List<Run> runs, Set<String> referenced) throws SQLException {
        for (Run run : runs) {
            AuditCheckpoint before = AuditStore.checkpointBefore(connection, run.chain(), run.from());
            boolean joins = before != null && before.isGenuine(hashing) && !referenced.contains(before.hash());
            long from = before != null && joins ? before.from() : run.from();
            AuditStore.writeCheckpoint(
                    connection, AuditCheckpoint.of(run.chain(), from, run.to(), run.hash(), hashing));
        }
    }

    /** A row that another chain refers to ends a run, so that its hash is kept. */
    private static void add(List<Run> runs, Head row, Set<String> referenced) {
        Run last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
        boolean continues = last != null
                && last.chain().equals(row.chain())
                && last.to() + 1 == row.seq()
                && !referenced.contains(last.hash());
        if (last != null && continues) {
            runs.set(runs.size() - 1, new Run(row.chain(), last.from(), row.seq(), row.hash()));
        } else {
            runs.add(new Run(row.chain(), row.seq(), row.seq(), row.hash()));
        }
    }

    private Set<String> references() {
        return new HashSet<>(store.references());
    }
}
