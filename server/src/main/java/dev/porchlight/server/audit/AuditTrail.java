// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The chain of audit rows that one run of one instance writes. The committer requests the rows, because their order is the order
 * of the commits.
 *
 * <p>Each instance writes its own chain, so instances never wait for each other. A chain begins with the hash of the newest
 * existing row, which links the chains, and ends with a final row; its head is stored in another table. Only {@link #written},
 * {@link #aggregated} and {@link #isOpen} are thread-safe.
 */
public final class AuditTrail {
    /** Not written: ends a minute with many refusals when no other event follows. */
    public static final AuditEvent TICK = new AuditEvent("tick", "", "", "", "", "", "", "", 0, "");

    private final KeyedHash hashing;
    private final AuditSubjects subjects;
    private final InstantSource clock;
    private final LongAdder aggregated = new LongAdder();
    private RefusalCounts refusals = RefusalCounts.NONE;
    private RefusalCounts.@Nullable Counted counted;
    private volatile boolean open;
    private final LongAdder written = new LongAdder();
    private String chain = newChain();
    private long seq;
    private @Nullable String previousHash;
    private List<AuditRow> staged = List.of();

    public AuditTrail(byte[] key, InstantSource clock) {
        this.hashing = new KeyedHash(key);
        this.subjects = new AuditSubjects(key);
        this.clock = clock;
    }

    /** Rows for these events, to be written in the transaction that is open on this connection. */
    public AuditRows stage(Connection connection, List<AuditEvent> events) throws SQLException {
        long now = clock.millis();
        RefusalCounts.Counted kept = refusals.add(events, now);
        counted = kept;
        if (kept.events().isEmpty()) {
            staged = List.of();
            return new AuditRows(List.of(), hashing);
        }
        List<AuditEvent> all = new ArrayList<>(kept.events());
        String hash = previousHash;
        String follows = "";
        if (hash == null) {
            AuditAnchor.Head newest = AuditStore.newest(connection);
            all.add(0, AuditEvent.of(AuditAction.AUDIT_STARTED, "", ""));
            follows = newest == null ? "" : newest.hash();
            hash = "";
        }
        var rows = new ArrayList<AuditRow>();
        for (AuditEvent event : all) {
            AuditEvent written = event.withUser(subjects.of(event.userId()));
            AuditRow row = AuditRow.after(hash, chain, seq + rows.size(), now, written, follows, hashing);
            rows.add(row);
            hash = row.hash();
            follows = "";
        }
        staged = rows;
        return new AuditRows(rows, hashing);
    }

    /** Called when the transaction with the staged rows was committed. */
    public void committed() {
        if (counted != null) {
            refusals = counted.counts();
            open = refusals.isOpen();
            aggregated.add(counted.aggregated());
            counted = null;
        }
        if (!staged.isEmpty()) {
            AuditRow last = staged.get(staged.size() - 1);
            long events = staged.size() - (previousHash == null ? 1L : 0L);
            previousHash = last.hash();
            seq = last.seq() + 1;
            staged = List.of();
            written.add(events);
        }
    }

    /** Called when the transaction with the staged rows was rolled back. */
    public void undone() {
        staged = List.of();
        counted = null;
    }

    /**
     * Called when it is unknown whether the staged rows were committed. Begins a new chain, which cannot collide with them and
     * refers to them if they exist.
     */
    public void uncertain() {
        undone();
        chain = newChain();
        seq = 0;
        previousHash = null;
    }

    /** The event that ends this chain, or null if nothing was written to it. */
    public @Nullable AuditEvent end() {
        return seq == 0 ? null : AuditEvent.of(AuditAction.AUDIT_STOPPED, "", "");
    }

    /** Whether refusals were counted that have no summary row yet. */
    public boolean isOpen() {
        return open;
    }

    /** The number of refusals that were counted without a separate row. */
    public long aggregated() {
        return aggregated.sum();
    }

    /** The number of events written to the table. */
    public long written() {
        return written.sum();
    }

    private static String newChain() {
        return UUID.randomUUID().toString();
    }
}
