// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * The SQL dialect of a database. Stores use the same statements on all databases, except for those that have a {@link
 * Statement} per dialect.
 */
public enum SqlDialect {
    /** SQLite and PostgreSQL, with {@code ON CONFLICT} and {@code RETURNING}. */
    STANDARD,
    /** MySQL and MariaDB, restricted to statements that both understand. */
    MYSQL;

    private static final Set<String> MYSQL_PRODUCTS = Set.of("MySQL", "MariaDB");

    /** Detects the dialect from the driver's metadata, without a query. */
    public static SqlDialect of(Connection connection) throws SQLException {
        return MYSQL_PRODUCTS.contains(product(connection)) ? MYSQL : STANDARD;
    }

    static String product(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName();
    }

    /** One statement in both dialects. */
    public record Statement(String standard, String mysql) {
        /** Inserts a row unless its key exists. Run it with {@link Sql#insertIfAbsent(Connection, Statement, Object...)}. */
        public static Statement insertIfAbsent(String insert, String key) {
            // MySQL reports the duplicate as an error: its INSERT IGNORE would also ignore truncated values.
            return new Statement(insert + " ON CONFLICT (" + key + ") DO NOTHING", insert);
        }

        /** Inserts a row that has only a key, or locks the existing row until the transaction ends. */
        public static Statement insertOrLock(String insert, String table, String key) {
            return new Statement(
                    insert + " ON CONFLICT (" + key + ") DO UPDATE SET " + key + " = excluded." + key,
                    insert + " ON DUPLICATE KEY UPDATE " + key + " = " + table + "." + key);
        }

        /** Returns the statement in the dialect of a connection. */
        public String in(Connection connection) throws SQLException {
            return in(of(connection));
        }

        /** Returns the statement in a dialect. */
        public String in(SqlDialect dialect) {
            return dialect == MYSQL ? mysql : standard;
        }
    }
}
