// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** Creates versioned tables. Idempotent, and safe to run from several instances at once. */
public final class TableMigration {
    /** The SQL states for a table, another object or a catalog row that exists already, on PostgreSQL and on MySQL. */
    private static final Set<String> RACES = Set.of("42P07", "42710", "23505", "42S01");

    private TableMigration() {}

    /**
     * Upgrades the tables if their version is older. The SQL writes two rows into {@code passkey_schema}: the version
     * under the part's name, and under the name with the suffix {@code -oldest} the oldest version whose releases can
     * use the tables.
     *
     * @throws StorageException if the database is unreachable, or its tables have a newer version that this release
     *     cannot use
     */
    public static void run(DataSource dataSource, String part, int wanted, String sql) {
        Sql statements = new Sql(dataSource);
        if (TableVersion.read(statements, part).version() < wanted) {
            create(new Retry(dataSource), part, sql);
        }
        TableVersion found = TableVersion.read(statements, part);
        if (!found.supports(wanted)) {
            throw new StorageException(
                    "the " + part + " tables have version " + found.version() + ", but this release supports version "
                            + wanted + ": run the release that created them, or a newer one");
        }
    }

    /**
     * Runs each statement in its own transaction, because distributed databases allow one definition per
     * transaction. The version is written last, so an interrupted migration starts over.
     */
    private static void create(Retry connections, String part, String sql) {
        try {
            for (String statement : sql.split(";", -1)) {
                if (!statement.isBlank()) {
                    Sql.Work<Integer> creation = connection -> Sql.update(connection, statement);
                    connections.run(
                            TableMigration::isRace, connection -> PooledConnections.finished(connection, creation));
                }
            }
        } catch (SQLException | RuntimeException e) { // a pool that connects lazily may throw either
            throw new StorageException("the " + part + " tables could not be created", e);
        }
    }

    /** Returns whether another instance created the same object concurrently. */
    private static boolean isRace(SQLException e) {
        String state = e.getSQLState();
        return Retry.isRolledBack(e)
                || state != null && RACES.contains(state)
                || "XX000".equals(state) && String.valueOf(e.getMessage()).contains("concurrently");
    }
}
