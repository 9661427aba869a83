// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Turns an ordinary PostgreSQL table, with all its rows, into the first partition of a partitioned table of the same name.
 *
 * <p>This runs in one transaction that blocks other sessions. It copies no rows and builds no index, but PostgreSQL scans the
 * table once to check the range. If that takes longer than a second, nothing is changed.
 */
final class Partitioning {
    private static final String FIRST = "first";
    /** The suffix of a check constraint that spares PostgreSQL the scan. */
    private static final String BOUND = "_bound";

    private static final String INDEXES = "SELECT quote_ident(relname), indisprimary, pg_get_indexdef(indexrelid)"
            + " FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = to_regclass(?)";
    private static final String OWNER = "SELECT quote_ident(rolname) FROM pg_class JOIN pg_roles r ON r.oid = relowner"
            + " WHERE pg_class.oid = to_regclass(?)";
    private static final String GRANTS =
            "SELECT privilege_type, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,"
                    + " is_grantable FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass(?)";

    private record Index(String name, boolean primary, String definition) {}

    private final PartitionedTable table;
    private final long now;

    Partitioning(PartitionedTable table, long now) {
        this.table = table;
        this.now = now;
    }

    /**
     * Partitions the tables if this user is allowed to, and creates partitions ahead of time. Failures are rolled back, because
     * the service works without partitions.
     */
    static void run(DataSource database, long now) {
        if (!isPostgres(database)) {
            return;
        }
        Sql sql = new Sql(database);
        for (PartitionedTable table : PartitionedTable.values()) {
            try {
                new Partitioning(table, now).run(sql);
                TimePartitions partitions = new TimePartitions(sql, table);
                TableState state = partitions.state();
                if (state != null && state.owned()) {
                    partitions.createAhead(state, now);
                }
            } catch (StorageException e) {
                // reported by advice()
            }
        }
    }

    /** Returns advice about a table that is not partitioned but could be. */
    static Optional<String> advice(Sql sql, PartitionedTable table) {
        try {
            TableState state = TableState.read(sql, table);
            return state == null || state.partitioned() || !state.owned()
                    ? Optional.empty()
                    : Optional.of(
                            "the table " + table.table + " is not partitioned, because it was in use or is too large:"
                                    + " restart the service, or see \"Partitions\" in docs/operations/storage.md");
        } catch (StorageException e) {
            return Optional.empty(); // a database that only resembles PostgreSQL
        }
    }

    private static boolean isPostgres(DataSource database) {
        try (Connection connection = database.getConnection()) {
            return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
        } catch (SQLException e) {
            return false;
        }
    }

    private void run(Sql sql) {
        TableState found = TableState.read(sql, table);
        if (found != null && !found.partitioned() && found.owned()) {
            var unused = sql.transaction("partition " + table.table, this::partition);
        }
    }

    private boolean partition(Connection connection) throws SQLException {
        Sql.update(connection, "SET LOCAL lock_timeout = 1000");
        Sql.update(connection, "SET LOCAL statement_timeout = 1000");
        Sql.update(connection, "LOCK TABLE " + table.table + " IN ACCESS EXCLUSIVE MODE");
        TableState state = Objects.requireNonNull(TableState.read(connection, table));
        if (state.partitioned()) {
            return false; // another instance has partitioned it
        }
        long bound = bound(connection);
        String first = state.partition(table, FIRST);
        List<Index> indexes = Sql.query(
                connection,
                INDEXES,
                row -> new Index(row.getString(1), row.getBoolean(2), row.getString(3)),
                state.name());
        List<String> grants = grants(connection, state);
        Sql.update(connection, "ALTER TABLE " + state.name() + " RENAME TO " + table.table + "_" + FIRST);
        for (Index index : indexes) {
            Sql.update(
                    connection,
                    "ALTER INDEX " + state.schema() + "." + index.name() + " RENAME TO " + index.name() + "_" + FIRST);
        }
        Sql.update(
                connection,
                "CREATE TABLE " + state.name() + " (LIKE " + first + " INCLUDING DEFAULTS" + table.key
                        + ") PARTITION BY RANGE (" + table.column + ")");
        for (Index index : indexes) {
            if (!index.primary()) {
                Sql.update(connection, index.definition());
            }
        }
        for (String grant : grants) {
            Sql.update(connection, grant);
        }
        attach(connection, state, first, bound);
        return true;
    }

    private void attach(Connection connection, TableState state, String first, long bound) throws SQLException {
        String attach = "ALTER TABLE " + state.name() + " ATTACH PARTITION ";
        Sql.update(connection, attach + first + " FOR VALUES FROM (MINVALUE) TO (" + bound + ")");
        Sql.update(connection, "ALTER TABLE " + first + " DROP CONSTRAINT IF EXISTS " + table.table + BOUND);
        String rest = state.partition(table, TimePartitions.DEFAULT);
        Sql.update(
                connection,
                "CREATE TABLE " + rest + " (LIKE " + state.name() + " INCLUDING ALL" + table.partitionKey + ")");
        Sql.update(connection, attach + rest + " DEFAULT");
    }

    /** Returns the end of the first partition: in the future and after all rows, even with a wrong clock. */
    private long bound(Connection connection) throws SQLException {
        long newest = Objects.requireNonNull(Sql.first(Sql.query(
                connection,
                "SELECT COALESCE(MAX(" + table.column + "), 0) FROM " + table.table,
                row -> row.getLong(1))));
        return table.width.next(table.width.begin(Math.max(newest, now + table.ahead.toMillis())));
    }

    /** Returns statements that copy the owner and the privileges of the previous table. */
    private static List<String> grants(Connection connection, TableState state) throws SQLException {
        List<String> grants = new ArrayList<>(Sql.query(
                connection,
                OWNER,
                row -> "ALTER TABLE " + state.name() + " OWNER TO " + row.getString(1),
                state.name()));
        grants.addAll(Sql.query(
                connection,
                GRANTS,
                row -> "GRANT " + row.getString(1) + " ON " + state.name() + " TO " + row.getString(2)
                        + (row.getBoolean(3) ? " WITH GRANT OPTION" : ""),
                state.name()));
        return grants;
    }
}
