// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Creates and upgrades the tables of a part in numbered steps: the step at index 0 leads to version 1. A released step never
 * changes. Idempotent, and safe to run from several instances at once.
 */
public final class TableMigration {
    /** The SQL states for a table, another object or a catalog row that exists already, on PostgreSQL and on MySQL. */
    private static final Set<String> RACES = Set.of("42P07", "42710", "23505", "42S01");

    private static final Set<String> DUPLICATE_COLUMNS = Set.of("42701", "42S21");

    private static final SqlDialect.Statement BEGIN = SqlDialect.Statement.insertIfAbsent(
            "INSERT INTO passkey_schema (part, version, oldest) VALUES (?, ?, ?)", "part");
    private static final String ADVANCE =
            "UPDATE passkey_schema SET version = ?, oldest = ? WHERE part = ? AND version < ?";

    private final String part;
    private final List<Step> steps;

    /** A migration of these tables. The first part's first step creates {@code passkey_schema}. */
    public TableMigration(String part, List<Step> steps) {
        this.part = part;
        this.steps = steps;
    }

    /**
     * One change of the tables. Statements are separated by semicolons and can be repeated: {@code CREATE … IF NOT EXISTS},
     * {@code DROP … IF EXISTS}, {@code ALTER TABLE … ADD COLUMN}, whose column may exist.
     *
     * @param oldest the oldest version whose releases can use the tables after this step
     */
    public record Step(int oldest, String sqlite, String postgres, String mysql) {
        /** A step with the same statements on SQLite and PostgreSQL. */
        public static Step of(int oldest, String standard, String mysql) {
            return new Step(oldest, standard, standard, mysql);
        }

        private String on(String product) {
            return switch (product) {
                case "SQLite" -> sqlite;
                case "MySQL", "MariaDB" -> mysql;
                case "PostgreSQL" -> postgres;
                default -> throw new UnsupportedDatabaseException(product);
            };
        }
    }

    /** The version that the steps lead to. */
    public int version() {
        return steps.size();
    }

    /**
     * Runs the missing steps.
     *
     * @throws UnsupportedDatabaseException if the database is another product
     * @throws StorageException if the database is unreachable, or its tables have a newer version that this release
     *     cannot use
     */
    public void run(DataSource dataSource) {
        Sql sql = new Sql(dataSource);
        String product = sql.product();
        List<String> statements = steps.stream().map(step -> step.on(product)).toList();
        int done = TableVersion.read(sql, part).version();
        for (int version = done + 1; version <= version(); version++) {
            Step step = steps.get(version - 1);
            run(new Retry(dataSource), statements.get(version - 1));
            if (!sql.insertIfAbsent(BEGIN, part, version, step.oldest())) {
                sql.update(ADVANCE, version, step.oldest(), part, version);
            }
        }
        TableVersion found = TableVersion.read(sql, part);
        if (!found.supports(version())) {
            throw new StorageException(
                    "the " + part + " tables have version " + found.version() + ", but this release supports version "
                            + version() + ": run the release that created them, or a newer one");
        }
    }

    /**
     * Runs each statement in its own transaction, because distributed databases allow one definition per
     * transaction. The version is written last, so an interrupted step starts over.
     */
    private void run(Retry connections, String statements) {
        try {
            for (String statement : statements.split(";", -1)) {
                if (!statement.isBlank()) {
                    runOne(connections, statement);
                }
            }
        } catch (SQLException | RuntimeException e) { // a pool that connects lazily may throw either
            throw new StorageException("the " + part + " tables could not be created", e);
        }
    }

    private static void runOne(Retry connections, String statement) throws SQLException {
        Sql.Work<Integer> change = connection -> Sql.update(connection, statement);
        try {
            connections.run(TableMigration::isRace, connection -> PooledConnections.finished(connection, change));
        } catch (SQLException e) {
            if (!isDuplicateColumn(e)) {
                throw e;
            }
        }
    }

    /** Returns whether another instance created the same object concurrently. */
    private static boolean isRace(SQLException e) {
        String state = e.getSQLState();
        return Retry.isRolledBack(e)
                || state != null && RACES.contains(state)
                || "XX000".equals(state) && String.valueOf(e.getMessage()).contains("concurrently");
    }

    /** Returns whether the column was added before, by an interrupted migration or another instance. SQLite has no SQL states. */
    private static boolean isDuplicateColumn(SQLException e) {
        return e.getSQLState() != null && DUPLICATE_COLUMNS.contains(e.getSQLState())
                || String.valueOf(e.getMessage()).contains("duplicate column name");
    }
}
