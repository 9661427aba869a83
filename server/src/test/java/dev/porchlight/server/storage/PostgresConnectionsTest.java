// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.PgBouncerServer;
import dev.porchlight.testkit.server.PostgresServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Detection of a connection pooler, and the settings of connections. */
class PostgresConnectionsTest {
    private static final String PREPARED = "SELECT COUNT(*) FROM pg_prepared_statements";

    @Test
    void a_direct_PostgreSQL_connection_gets_timeouts() {
        try (Database database = open(TestDatabase.POSTGRES.freshUrl())) {
            assertThat(setting(database, "lock_timeout")).isEqualTo("30s");
            assertThat(database.isThroughPooler()).isFalse();
            assertThat(database.advice()).isEmpty();
            assertThat(preparedAfterManyUses(database)).isPositive();
        }
    }

    @Test
    void a_prepared_statement_is_planned_once_whatever_its_parameters() {
        try (Database database = open(TestDatabase.POSTGRES.freshUrl())) {
            for (int i = 0; i < 20; i++) {
                assertThat(setting(database, "lock_timeout")).isEqualTo("30s");
            }
            assertThat(database.sql()
                            .query(
                                    "SELECT custom_plans FROM pg_prepared_statements WHERE statement LIKE ?",
                                    row -> row.getInt(1),
                                    "SELECT current_setting($1)%"))
                    .containsExactly(0);
        }
    }

    @Test
    void PgBouncer_is_detected_if_it_refuses_the_timeouts() {
        try (Database database = open(TestDatabase.PGBOUNCER.freshUrl())) {
            assertThat(preparedAfterManyUses(database)).isZero();
            assertThat(database.isThroughPooler()).isTrue();
            assertThat(database.advice())
                    .singleElement()
                    .asString()
                    .contains("ALTER ROLE CURRENT_USER SET lock_timeout = '30000ms'");
        }
    }

    @Test
    void the_advice_behind_PgBouncer_has_the_timeouts_in_effect() {
        try (Database database = open(TestDatabase.PGBOUNCER.freshUrl())) {
            assertThat(setting(database, "lock_timeout")).isEqualTo("0");
            assertThat(database.advice())
                    .singleElement()
                    .asString()
                    .contains(
                            "statement_timeout = '45000ms'",
                            "lock_timeout = '30000ms'",
                            "idle_in_transaction_session_timeout = '61000ms'");
        }
    }

    @Test
    void PgBouncer_is_detected_if_it_ignores_the_timeouts() throws Exception {
        URI direct = direct(TestDatabase.POSTGRES.freshUrl());
        try (PgBouncerServer bouncer = PgBouncerServer.start(direct.getPort(), "ignore_startup_parameters = options");
                Database database = open(bouncer.jdbcUrl(direct.getPath().substring(1)))) {
            assertThat(preparedAfterManyUses(database)).isZero();
            assertThat(database.isThroughPooler()).isTrue();
        }
    }

    @Test
    void timeouts_that_are_set_on_the_server_need_no_advice() throws Exception {
        String url = TestDatabase.POSTGRES.freshUrl();
        String name = direct(url).getPath().substring(1);
        try (Database database = open(url)) {
            for (String timeout : List.of("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")) {
                database.sql().update("ALTER DATABASE " + name + " SET " + timeout + " = '1s'");
            }
        }
        try (PgBouncerServer bouncer = PgBouncerServer.start(direct(url).getPort());
                Database database = open(bouncer.jdbcUrl(name))) {
            assertThat(setting(database, "statement_timeout")).isEqualTo("1s");
            assertThat(database.isThroughPooler()).isTrue();
            assertThat(database.advice()).isEmpty();
        }
    }

    @Test
    void a_startup_parameter_that_PgBouncer_refuses_is_reported_with_the_fix() {
        String url = TestDatabase.PGBOUNCER.freshUrl() + "&options=-c%20search_path=public";
        try (Database database = open(url)) {
            assertThatThrownBy(() -> database.migrate(Duration.ZERO))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("unsupported startup parameter: options")
                    .hasMessageContaining("ignore_startup_parameters");
        }
    }

    @Test
    void a_lost_server_is_tried_until_it_is_back() throws Exception {
        try (PostgresServer server = PostgresServer.startDurable()) {
            DataSource connections = new PostgresConnections(
                            DatabaseUrl.parse(server.jdbcUrl()), Duration.ofMinutes(1), Patience.LIMIT)
                    .dataSource();
            connections.getConnection().close();
            server.kill();
            assertThatThrownBy(connections::getConnection).hasMessageContaining("refused");

            Together.run(List.of(
                    () -> {
                        server.restart();
                        return true;
                    },
                    () -> {
                        connections.getConnection().close();
                        return true;
                    }));
        }
    }

    @Test
    void many_threads_share_few_connections() throws Exception {
        try (Database database = TestDatabase.open(TestDatabase.PGBOUNCER.freshUrl(), 16)) {
            database.migrate(Patience.LIMIT);
            Sql sql = database.sql();
            assertThat(Together.times(16, () -> {
                        for (int i = 0; i < 50; i++) {
                            sql.transaction("two statements", connection -> {
                                Sql.update(
                                        connection, "UPDATE passkey_schema SET version = version WHERE part = ?", "x");
                                return Sql.query(connection, "SELECT 1 WHERE 1 = ?", row -> 1, 1);
                            });
                        }
                        return true;
                    }))
                    .containsOnly(true);
        }
    }

    /** The driver prepares a statement on the server when it is used for the fifth time. */
    private static int preparedAfterManyUses(Database database) {
        Sql sql = database.sql();
        int prepared = 0;
        for (int i = 0; i < 20; i++) {
            prepared = sql.query(PREPARED, row -> row.getInt(1)).get(0);
        }
        return prepared;
    }

    private static String setting(Database database, String name) {
        return database.sql()
                .query("SELECT current_setting(?)", row -> row.getString(1), name)
                .get(0);
    }

    private static URI direct(String jdbcUrl) {
        return URI.create(jdbcUrl.substring("jdbc:".length()));
    }

    /** With a request timeout of a minute, from which the other timeouts follow. */
    private static Database open(String url) {
        return Database.open(DatabaseUrl.parse(url), 1, Duration.ofMinutes(1));
    }
}
