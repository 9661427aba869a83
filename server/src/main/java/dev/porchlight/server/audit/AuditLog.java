// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.StorageException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Audit rows for what is done outside of a unit of work. Thread-safe.
 *
 * <p>What such a row is about is done by then, so a row that cannot be written is counted and does not undo it.
 */
public final class AuditLog {
    /** Writes an event to the audit table and returns when its row is on the disk, or throws. */
    @FunctionalInterface
    public interface Writer {
        void write(AuditEvent event);
    }

    private final AuditTrail trail;
    private final Writer writer;
    private final LongAdder lost = new LongAdder();

    public AuditLog(AuditTrail trail, Writer writer) {
        this.trail = trail;
        this.writer = writer;
    }

    /**
     * Appends an event and waits until its row is on the disk, so that what was answered can be looked up.
     *
     * @return whether the row is there
     */
    public boolean append(AuditEvent event) {
        try {
            writer.write(event);
            return true;
        } catch (StorageException e) {
            lost.increment();
            return false;
        }
    }

    /** How many rows were written, those of units of work included. */
    public long written() {
        return trail.written();
    }

    /** How many refusals were counted without a row of their own. */
    public long aggregated() {
        return trail.aggregated();
    }

    /** How many rows could not be written, or were not known to be. */
    public long lost() {
        return lost.sum();
    }
}
