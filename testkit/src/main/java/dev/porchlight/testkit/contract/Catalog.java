// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The tables of a database, as its catalog describes them, without partitions.
 *
 * @param columns the names of the columns of each table, in order
 * @param definitions a line for each column and each column of an index, in alphabetical order
 */
public record Catalog(Map<String, List<String>> columns, List<String> definitions) {
    private static final Pattern PARTITION = Pattern.compile(".*_(first|default|[0-9]{6}|[0-9]{8}_[0-9]{4})");

    /** Names that SQLite gives to the indexes of keys; other databases name them after the table. */
    private static final String UNNAMED = "sqlite_autoindex_";

    /** Reads the catalog. */
    public static Catalog read(DataSource database) throws SQLException {
        Map<String, List<String>> columns = new TreeMap<>();
        List<String> definitions = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            DatabaseMetaData data = connection.getMetaData();
            for (String table : tables(connection, data)) {
                columns.put(table, readColumns(connection, data, table, definitions));
                readIndexes(connection, data, table, definitions);
            }
        }
        definitions.sort(null);
        return new Catalog(columns, definitions);
    }

    private static List<String> tables(Connection connection, DatabaseMetaData data) throws SQLException {
        List<String> tables = new ArrayList<>();
        String[] types = {"TABLE", "PARTITIONED TABLE"};
        try (ResultSet rows = data.getTables(connection.getCatalog(), null, "p%", types)) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME");
                if (!PARTITION.matcher(table).matches() && !table.startsWith("pg_")) {
                    tables.add(table);
                }
            }
        }
        return tables;
    }

    private static List<String> readColumns(
            Connection connection, DatabaseMetaData data, String table, List<String> definitions) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = data.getColumns(connection.getCatalog(), null, table.replace("_", "\\_"), "%")) {
            while (rows.next()) {
                names.add(rows.getString("COLUMN_NAME"));
                definitions.add(String.join(
                        " ",
                        table,
                        rows.getString("COLUMN_NAME"),
                        rows.getString("TYPE_NAME"),
                        rows.getString("IS_NULLABLE"),
                        rows.getString("COLUMN_DEF")));
            }
        }
        return names;
    }

    private static void readIndexes(
            Connection connection, DatabaseMetaData data, String table, List<String> definitions) throws SQLException {
        try (ResultSet rows = data.getIndexInfo(connection.getCatalog(), null, table, false, true)) {
            while (rows.next()) {
                String name = rows.getString("INDEX_NAME");
                definitions.add(String.join(
                        " ",
                        table,
                        "index",
                        name != null && name.startsWith(UNNAMED) ? UNNAMED : name,
                        rows.getString("ORDINAL_POSITION"),
                        rows.getString("COLUMN_NAME"),
                        rows.getBoolean("NON_UNIQUE") ? "" : "unique",
                        rows.getString("FILTER_CONDITION")));
            }
        }
    }
}
