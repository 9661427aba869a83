// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableMigration;
import dev.porchlight.base.sql.TableMigration.Step;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.passkey.Race;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.testkit.contract.Catalog;
import dev.porchlight.testkit.contract.MigrationContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class MigrationTest {

    @Nested
    @ParameterizedClass
    @EnumSource
    class Contract implements MigrationContract {
        @Parameter
        TestDatabase database;

        private final List<HikariDataSource> pools = new ArrayList<>();

        @Override
        public DataSource emptyDatabase() {
            pools.add(database.fresh());
            return pools.get(pools.size() - 1);
        }

        @Override
        public String migration() {
            return database.migration();
        }

        @Override
        public void migrate(DataSource empty) throws SQLException {
            execute(database, empty);
        }

        @AfterEach
        void close() {
            pools.forEach(HikariDataSource::close);
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_second_run_changes_nothing(TestDatabase database) {
        try (HikariDataSource pool = database.fresh()) {
            Migration.run(pool);
            new SqlCredentialStore(pool).enroll(new UserRecord("alice", "h", null, null));

            Migration.run(pool);

            assertThat(new SqlCredentialStore(pool).user("alice")).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_sql_can_be_run_repeatedly_statement_by_statement(TestDatabase database) throws SQLException {
        try (HikariDataSource pool = database.fresh();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 3; i++) {
                for (String sql : database.migration().split(";", -1)) {
                    if (!sql.isBlank()) {
                        statement.execute(sql);
                    }
                }
            }
            assertThat(version(pool)).isEqualTo(Migration.VERSION);
        }
    }

    @ParameterizedTest
    @EnumSource
    void many_instances_can_migrate_at_once(TestDatabase database) {
        for (int round = 0; round < 10; round++) {
            try (HikariDataSource pool = database.fresh();
                    var race = new Race(8)) {
                race.run((Callable<Void>) () -> {
                    Migration.run(pool);
                    return null;
                });
                assertThat(version(pool)).isEqualTo(Migration.VERSION);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_sql_and_the_steps_lead_to_the_same_tables(TestDatabase database) throws SQLException {
        try (HikariDataSource bySteps = database.fresh();
                HikariDataSource byText = database.fresh()) {
            Migration.run(bySteps);
            runText(database, byText);

            assertThat(Catalog.read(byText)).isEqualTo(Catalog.read(bySteps));
            assertThat(TableVersion.read(new Sql(byText), "passkey"))
                    .isEqualTo(TableVersion.read(new Sql(bySteps), "passkey"))
                    .isEqualTo(new TableVersion(Migration.VERSION, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_step_that_adds_a_column_can_be_repeated(TestDatabase database) throws SQLException {
        try (HikariDataSource pool = database.fresh()) {
            Migration.run(pool);
            String add = "ALTER TABLE passkey_user ADD COLUMN next INTEGER NOT NULL DEFAULT 0;";
            Step none = Step.of(1, "", "");
            TableMigration next = new TableMigration("passkey", List.of(none, Step.of(1, add, add)));
            next.run(pool);
            new Sql(pool).update("UPDATE passkey_schema SET version = 1");

            next.run(pool); // as after an interruption between the statement and the version

            assertThat(version(pool)).isEqualTo(2);
            assertThat(Catalog.read(pool).columns().get("passkey_user")).containsOnlyOnce("next");
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_sql_never_lowers_the_version(TestDatabase database) {
        try (HikariDataSource pool = database.fresh()) {
            Migration.run(pool);
            new Sql(pool).update("UPDATE passkey_schema SET version = 99");

            runText(database, pool);

            assertThat(version(pool)).isEqualTo(99);
        }
    }

    @ParameterizedTest
    @EnumSource
    void newer_compatible_tables_are_accepted(TestDatabase database) {
        try (HikariDataSource pool = database.fresh()) {
            next(pool, Migration.VERSION);

            Migration.run(pool);

            assertThat(version(pool)).isEqualTo(Migration.VERSION + 1);
            assertThat(new SqlCredentialStore(pool).user("unknown")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void newer_incompatible_tables_are_refused(TestDatabase database) {
        try (HikariDataSource pool = database.fresh()) {
            next(pool, Migration.VERSION + 1);

            assertThatThrownBy(() -> Migration.run(pool))
                    .isInstanceOf(StorageException.class)
                    .hasMessage("the passkey tables have version " + (Migration.VERSION + 1)
                            + ", but this release supports version " + Migration.VERSION
                            + ": run the release that created them, or a newer one");
        }
    }

    /** Simulates the next release, which adds a table and a column with a default. */
    private static void next(HikariDataSource pool, int oldest) {
        Migration.run(pool);
        Sql sql = new Sql(pool);
        sql.update("CREATE TABLE passkey_next (id VARCHAR(64) NOT NULL PRIMARY KEY)");
        sql.update("ALTER TABLE passkey_user ADD COLUMN next INTEGER NOT NULL DEFAULT 0");
        sql.update("UPDATE passkey_schema SET version = ?, oldest = ?", Migration.VERSION + 1, oldest);
    }

    @ParameterizedTest
    @EnumSource
    void an_interrupted_migration_is_completed_by_the_next(TestDatabase database) {
        try (HikariDataSource pool = database.fresh()) {
            String[] statements = database.migration().split(";", -1);
            for (int i = 0; i < 3; i++) {
                new Sql(pool).update(statements[i]);
            }

            Migration.run(pool);

            assertThat(version(pool)).isEqualTo(Migration.VERSION);
        }
    }

    /** Not every PostgreSQL-compatible database supports them. */
    @Test
    void the_sql_uses_no_advisory_lock_and_no_sequence() {
        assertThat(Migration.WEBAUTHN_MIGRATION_SQL + Migration.WEBAUTHN_MIGRATION_SQL_MYSQL)
                .doesNotContainIgnoringCase("advisory", "serial", "sequence", "auto_increment");
    }

    @ParameterizedTest
    @EnumSource
    void unreadable_tables_are_not_treated_as_missing(TestDatabase database) {
        try (HikariDataSource pool = database.fresh()) {
            new Sql(pool)
                    .update(
                            "CREATE TABLE passkey_schema (part VARCHAR(64) NOT NULL PRIMARY KEY, version TEXT, oldest TEXT)");
            new Sql(pool).update("INSERT INTO passkey_schema VALUES ('passkey', 'two', 'one')");

            assertThatThrownBy(() -> Migration.run(pool)).isInstanceOf(StorageException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void existing_tables_need_no_create_privilege(TestDatabase database) throws SQLException {
        try (HikariDataSource pool = database.fresh()) {
            Migration.run(pool);
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE ROLE reader LOGIN");
                statement.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
                statement.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
            }
            try (HikariDataSource limited = new HikariDataSource()) {
                limited.setJdbcUrl(pool.getJdbcUrl().replaceAll("user=.*", "user=reader"));

                assertThatCode(() -> Migration.run(limited)).doesNotThrowAnyException();
            }
        }
    }

    private static void runText(TestDatabase database, DataSource pool) {
        try {
            execute(database, pool);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Executes the whole text at once, except on MariaDB, whose driver executes one statement at a time. */
    private static void execute(TestDatabase database, DataSource pool) throws SQLException {
        String text = database.migration();
        String[] parts = database == TestDatabase.MARIADB ? text.split(";", -1) : new String[] {text};
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String part : parts) {
                if (!part.isBlank()) {
                    statement.executeUpdate(part);
                }
            }
        }
    }

    private static int version(HikariDataSource pool) {
        return new Sql(pool)
                .query("SELECT version FROM passkey_schema WHERE part = 'passkey'", row -> row.getInt(1))
                .get(0);
    }
}
