// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** Creates versioned tables. It can be run at every start, and by several instances at once. */
public final class TableMigration {
    /** PostgreSQL's words for a table, another thing, or a row of the catalogue that is there already. */
    private static final Set<String> RACES = Set.of("42P07", "42710", "23505");

    private TableMigration() {}

    /**
     * Brings tables to a version, if they are older. The SQL writes the version under the part's name into {@code
     * passkey_schema}, and under the name and {@code -oldest} the oldest version whose releases may work with the tables.
     *
     * @throws StorageException if the database cannot be reached, or its tables are of a newer version that this release
     *     cannot work with
     */
    public static void run(DataSource dataSource, String part, int wanted, String sql) {
        Sql statements = new Sql(dataSource);
        if (TableVersion.read(statements, part).version() < wanted) {
            make(new Retry(dataSource), part, sql);
        }
        TableVersion found = TableVersion.read(statements, part);
        if (!found.suits(wanted)) {
            throw new StorageException("the " + part + " tables are of version " + found.version()
                    + ", and this release knows " + wanted + ": run the release that made them, or a newer one");
        }
    }

    /**
     * Statement by statement: distributed databases define one thing in a transaction. The version is written last, so
     * that whoever is interrupted begins again.
     */
    private static void make(Retry connections, String part, String sql) {
        try {
            for (String statement : sql.split(";", -1)) {
                if (!statement.isBlank()) {
                    Sql.Work<Integer> making = connection -> Sql.update(connection, statement);
                    connections.run(
                            TableMigration::isRace, connection -> PooledConnections.finished(connection, making));
                }
            }
        } catch (SQLException | RuntimeException e) { // a pool that opens itself now may throw either
            throw new StorageException("the " + part + " tables could not be made", e);
        }
    }

    /** Somebody else was faster: the table is there, or its name in the catalogue, or a row of that was changed. */
    private static boolean isRace(SQLException e) {
        String state = e.getSQLState();
        return Retry.isRolledBack(e)
                || state != null && RACES.contains(state)
                || "XX000".equals(state) && String.valueOf(e.getMessage()).contains("concurrently");
    }
}
