// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.StorageException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Appends audit rows for actions outside of a unit of work. Thread-safe.
 *
 * <p>The action is already done, so a row that cannot be written is counted and does not undo it.
 */
public final class AuditLog {
    /** Writes an event to the audit table and returns when its row is durable, or throws. */
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
     * Appends an event and waits until its row is durable.
     *
     * @return whether the row was written
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

    /** The number of rows written, including those of units of work. */
    public long written() {
        return trail.written();
    }

    /** The number of refusals that were counted without a separate row. */
    public long aggregated() {
        return trail.aggregated();
    }

    /** The number of rows that could not be written, or whose result is unknown. */
    public long lost() {
        return lost.sum();
    }
}
