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

/** Writes units together in one transaction, in the way that suits a database. For the committer's thread. */
interface BatchWriter {

    /** Units in an order and in groups that can share a transaction. */
    List<List<PendingUnit<?>>> groups(List<PendingUnit<?>> units);

    /** Begins a transaction and writes all units and their audit rows, up to but without the commit. */
    Commit write(Connection connection, List<PendingUnit<?>> units) throws SQLException;

    /** Undoes what was written and not committed, and leaves the connection fit for the next. */
    void undo(Connection connection);

    /** Whether units whose commit failed are known to be undone after {@link #undo}. */
    boolean isCertainAfterUndo();

    /** Whether a connection stays with the committer while all goes well, and does not go back to the pool. */
    boolean keepsConnection();

    /** The last step of a transaction, after which all is durable. */
    @FunctionalInterface
    interface Commit {
        void run() throws SQLException;
    }

    /** The events of units by the trail they belong to, in order. */
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
