// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The state of a PostgreSQL table.
 *
 * @param name with its schema, quoted
 * @param partitioned whether it has partitions
 * @param owned whether this user may alter it and create tables in its schema
 */
record TableState(String schema, String name, boolean partitioned, boolean owned) {
    private static final String READ = "SELECT quote_ident(nspname), format('%I.%I', nspname, relname), relkind = 'p',"
            + " pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'CREATE')"
            + " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = to_regclass(?)";

    static @Nullable TableState read(Sql sql, PartitionedTable table) {
        return Sql.first(sql.query(READ, TableState::read, table.table));
    }

    static @Nullable TableState read(Connection connection, PartitionedTable table) throws SQLException {
        return Sql.first(Sql.query(connection, READ, TableState::read, table.table));
    }

    private static TableState read(ResultSet row) throws SQLException {
        return new TableState(row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4));
    }

    String partition(PartitionedTable table, String suffix) {
        return schema + "." + table.table + "_" + suffix;
    }
}
