// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditRows;
import dev.porchlight.server.audit.AuditTrail;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the logins and refusals of a batch in one statement, and their audit rows and the commit in another: two round trips
 * for any number of them. Other units have a transaction each, so that none holds locks while another runs.
 */
final class PostgresWriter implements BatchWriter {

    @Override
    public List<List<PendingUnit<?>>> groups(List<PendingUnit<?>> units) {
        List<List<PendingUnit<?>>> others = new ArrayList<>();
        List<PendingUnit<?>> ceremonies = new ArrayList<>();
        for (PendingUnit<?> unit : units) {
            if (unit.unit() instanceof CeremonyUnit) {
                ceremonies.add(unit);
            } else {
                others.add(List.of(unit));
            }
        }
        List<List<PendingUnit<?>>> groups = new ArrayList<>();
        while (!ceremonies.isEmpty()) {
            groups.add(CeremonyBatch.take(ceremonies)); // first in, first committed
        }
        groups.addAll(others);
        return groups;
    }

    @Override
    public Commit write(Connection connection, List<PendingUnit<?>> units) throws SQLException {
        connection.setAutoCommit(false);
        if (units.get(0).unit() instanceof CeremonyUnit) {
            CeremonyBatch.of(units).write(connection);
        } else {
            for (PendingUnit<?> unit : units) {
                unit.write(connection);
            }
        }
        Map<AuditTrail, List<AuditEvent>> events = BatchWriter.events(units);
        AuditRows last = null;
        for (var entry : events.entrySet()) {
            AuditRows rows = entry.getKey().stage(connection, entry.getValue());
            if (events.size() > 1 || rows.beginChain() || rows.isEmpty()) {
                rows.write(connection);
            } else {
                last = rows;
            }
        }
        AuditRows unwritten = last;
        return () -> {
            if (unwritten == null) {
                connection.commit();
            } else {
                unwritten.writeAndCommit(connection);
            }
            connection.setAutoCommit(true);
        };
    }

    @Override
    public void undo(Connection connection) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException | RuntimeException e) {
            // the connection is broken, and the pool will notice
        }
    }

    @Override
    public boolean isEmbedded() {
        return false;
    }
}
