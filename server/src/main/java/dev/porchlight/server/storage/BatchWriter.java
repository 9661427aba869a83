// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditTrail;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes several units in one transaction. Confined to the committer's thread. */
interface BatchWriter {

    /** Sorts units into groups that can share a transaction. */
    List<List<PendingUnit<?>>> groups(List<PendingUnit<?>> units);

    /** Begins a transaction and writes all units and their audit rows, without the commit. */
    Commit write(Connection connection, List<PendingUnit<?>> units) throws SQLException;

    /** Rolls back, so that the connection can be used again. */
    void undo(Connection connection);

    /**
     * Whether the database runs in this process. Then units whose commit failed are certainly not written after {@link #undo},
     * and the committer keeps a working connection, whose page cache stays valid. A server may have committed although its
     * response was lost, and its connections break, which the pool checks.
     */
    boolean isEmbedded();

    @FunctionalInterface
    interface Commit {
        void run() throws SQLException;
    }

    /** The events of units by trail, in order. */
    static Map<AuditTrail, List<AuditEvent>> events(List<PendingUnit<?>> units) {
        Map<AuditTrail, List<AuditEvent>> events = new LinkedHashMap<>();
        for (PendingUnit<?> unit : units) {
            AuditTrail trail = unit.trail();
            AuditEvent event = trail == null ? null : unit.event();
            if (trail != null && event != null) {
                events.computeIfAbsent(trail, unused -> new ArrayList<>()).add(event);
            }
        }
        return events;
    }
}
