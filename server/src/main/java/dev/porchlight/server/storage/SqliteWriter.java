// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** One unit after the other: in a process that has the file, statements cost little and commits much. */
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
     * SQLite has undone all by itself when a disk was full or broke, and says then that there is nothing to undo. The
     * driver's own way, by its auto-commit mode, loses count at that and commits the statements that follow one by one.
     */
    @Override
    public void undo(Connection connection) {
        try {
            Sql.update(connection, "ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // and if it was not undone, the next transaction cannot begin
        }
    }

    /** What it has read of the file stays good until another process writes. */
    @Override
    public boolean keepsConnection() {
        return true;
    }

    @Override
    public boolean isCertainAfterUndo() {
        return true;
    }
}
