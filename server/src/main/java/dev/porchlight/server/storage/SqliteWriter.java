// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes one unit after the other, because in SQLite statements are cheap and commits are expensive. */
final class SqliteWriter implements BatchWriter {

    @Override
    public List<List<PendingUnit<?>>> groups(List<PendingUnit<?>> units) {
        return List.of(units);
    }

    @Override
    public Commit write(Connection connection, List<PendingUnit<?>> units) throws SQLException {
        Sql.update(connection, "BEGIN IMMEDIATE");
        for (PendingUnit<?> unit : units) {
            unit.write(connection);
        }
        for (var entry : BatchWriter.events(units).entrySet()) {
            entry.getKey().stage(connection, entry.getValue()).write(connection);
        }
        return () -> Sql.update(connection, "COMMIT");
    }

    /**
     * SQLite rolls back by itself when the disk is full or fails, and then reports that no transaction is active. The driver's
     * auto-commit mode would lose track of this and commit the following statements one by one.
     */
    @Override
    public void undo(Connection connection) {
        try {
            Sql.update(connection, "ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // if nothing was rolled back, the next transaction cannot begin
        }
    }

    @Override
    public boolean isEmbedded() {
        return true;
    }
}
