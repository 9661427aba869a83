// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL knows of a table.
 *
 * @param name with its schema, quoted
 * @param partitioned whether it has partitions
 * @param owned whether this user may change it and create tables beside it
 */
record TableState(String schema, String name, boolean partitioned, boolean owned) {
    private static final String READ = "SELECT quote_ident(nspname), format('%I.%I', nspname, relname), relkind = 'p',"
            + " pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'CREATE')"
            + " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = to_regclass(?)";

    /** The state of this table, or null if there is none. */
    static @Nullable TableState read(Sql sql, PartitionedTable table) {
        return Sql.first(sql.query(READ, TableState::read, table.table));
    }

    /** The same within a transaction of the caller. */
    static @Nullable TableState read(Connection connection, PartitionedTable table) throws SQLException {
        return Sql.first(Sql.query(connection, READ, TableState::read, table.table));
    }

    private static TableState read(ResultSet row) throws SQLException {
        return new TableState(row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4));
    }

    /** The name of a partition of it. */
    String partition(PartitionedTable table, String suffix) {
        return schema + "." + table.table + "_" + suffix;
    }
}
