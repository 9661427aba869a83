// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.server.audit.AuditEvents;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.support.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partitioning of tables with rows on PostgreSQL. */
class PartitioningTest {
    private static final byte[] KEY = new byte[32];
    private static final String APPEND =
            "INSERT INTO porchlight_audit (chain, seq, at, action, subject, outcome, reason, correlation_id, hash)"
                    + " VALUES (?, ?, ?, 'login', 'ada', 'ok', '', '', 'hash')";

    private final String url = TestDatabase.POSTGRES.freshUrl();
    private Database database;
    private Sql sql;

    @BeforeEach
    void createTablesWithoutPartitions() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            pool.setMaximumPoolSize(1);
            ServerTables.create(pool);
        }
        database = TestDatabase.open(url, 8);
        sql = database.sql();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void existing_rows_stay_and_new_rows_are_partitioned() {
        log("one", "two");
        sql.update("INSERT INTO passkey_used_challenge (expires_at, challenge_id) VALUES (?, 'used')", now());

        database.migrate(Patience.LIMIT);
        log("three");

        assertThat(sql.query(
                        "SELECT action FROM porchlight_audit WHERE subject = ? ORDER BY at, seq",
                        row -> row.getString(1),
                        new AuditSubjects(KEY).of("ada")))
                .containsExactlyInAnyOrder("one", "two", "three");
        AuditVerification.Result result = new AuditVerification(new AuditStore(sql), KEY).verify();
        assertThat(result.faults()).isEmpty();
        assertThat(sql.query("SELECT challenge_id FROM passkey_used_challenge", row -> row.getString(1)))
                .containsExactly("used");
        assertThat(partitioned()).containsExactly("passkey_used_challenge", "porchlight_audit");
        assertThat(database.advice()).isEmpty();
    }

    @Test
    void indexes_are_kept() {
        database.migrate(Patience.LIMIT);

        assertThat(sql.query(
                        "SELECT indexname FROM pg_indexes WHERE tablename = 'porchlight_audit' ORDER BY 1",
                        row -> row.getString(1)))
                .containsExactly(
                        "porchlight_audit_by_client",
                        "porchlight_audit_by_correlation",
                        "porchlight_audit_by_operator",
                        "porchlight_audit_by_subject",
                        "porchlight_audit_by_time");
        assertThat(sql.query("SELECT COUNT(*) FROM pg_index WHERE NOT indisvalid", row -> row.getInt(1)))
                .containsExactly(0);
    }

    @Test
    void a_second_start_changes_nothing() {
        database.migrate(Patience.LIMIT);

        database.migrate(Patience.LIMIT);

        assertThat(TableVersion.read(sql, "server")).isEqualTo(new TableVersion(ServerTables.VERSION, 1));
        assertThat(partitioned()).hasSize(2);
    }

    @Test
    void a_statement_prepared_before_the_partitioning_still_works() throws SQLException {
        try (Connection old = DriverManager.getConnection(url + "&prepareThreshold=1");
                PreparedStatement append = old.prepareStatement(APPEND);
                PreparedStatement use = old.prepareStatement(
                        "INSERT INTO passkey_used_challenge"
                                + " (expires_at, challenge_id) VALUES (?, ?) ON CONFLICT (expires_at, challenge_id) DO NOTHING")) {
            long expiry = now() + 300_000;
            for (int i = 0; i < 3; i++) {
                assertThat(append(append, i)).isEqualTo(1);
                assertThat(use(use, expiry, "before " + i)).isEqualTo(1);
            }
            database.migrate(Patience.LIMIT);
            for (int i = 3; i < 6; i++) {
                assertThat(append(append, i)).isEqualTo(1);
                assertThat(use(use, expiry, "after " + i)).isEqualTo(1);
                assertThat(use(use, expiry, "after " + i)).isZero();
            }
            assertThat(use(use, expiry, "before 0")).isZero();
        }
        assertThat(count("porchlight_audit")).isEqualTo(6);
    }

    @Test
    void concurrent_starts_and_writes_do_not_disturb_each_other() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Callable<Integer> starts = () -> {
            try (Database mine = TestDatabase.open(url, 2)) {
                mine.migrate(Patience.LIMIT);
                return 0;
            } finally {
                done.set(true);
            }
        };
        Callable<Integer> writes = () -> {
            int written = 0;
            while (!done.get()) {
                written += sql.update(APPEND, "old", (long) written, now());
            }
            return written;
        };

        List<Integer> results = Together.run(List.of(starts, starts, starts, writes));

        assertThat(partitioned()).hasSize(2);
        assertThat(count("porchlight_audit")).isEqualTo(results.get(3).longValue());
    }

    @Test
    void privileges_are_kept_and_a_user_without_create_privilege_works() throws SQLException {
        String role = "service_" + url.replaceAll(".*/|\\?.*", "");
        sql.update("CREATE ROLE " + role + " LOGIN");
        sql.update("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        sql.update("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role);
        database.migrate(Patience.LIMIT);

        try (Database service = TestDatabase.open(url.replaceAll("user=.*", "user=" + role), 2)) {
            service.migrate(Patience.LIMIT);
            assertThat(service.sql().update(APPEND, "new", 0L, now())).isEqualTo(1);
            long longAgo = 1_000;
            service.sql().update("INSERT INTO passkey_used_challenge VALUES (?, 'old'), (?, 'new')", longAgo, now());
            service.maintenance(Clock.systemUTC()).run();
            assertThat(service.sql().query("SELECT challenge_id FROM passkey_used_challenge", r -> r.getString(1)))
                    .containsExactly("new");
            assertThat(service.advice()).isEmpty();
        }
    }

    @Test
    void a_row_with_a_future_time_does_not_prevent_partitioning() {
        long farAhead = now() + 400L * 86_400_000;
        sql.update(APPEND, "wrong", 0L, farAhead);

        database.migrate(Patience.LIMIT);

        assertThat(partitioned()).hasSize(2);
        assertThat(sql.query("SELECT at FROM porchlight_audit", row -> row.getLong(1)))
                .containsExactly(farAhead);
    }

    @Test
    void the_constraint_that_prepares_a_large_table_is_removed() {
        long soon = now() + 14L * 86_400_000;
        sql.update("ALTER TABLE porchlight_audit ADD CONSTRAINT porchlight_audit_bound CHECK (at < " + soon
                + ") NOT VALID");
        sql.update("ALTER TABLE porchlight_audit VALIDATE CONSTRAINT porchlight_audit_bound");

        database.migrate(Patience.LIMIT);

        assertThat(partitioned()).hasSize(2);
        assertThat(sql.update(APPEND, "late", 0L, soon + 1)).isEqualTo(1);
    }

    @Test
    void a_table_in_use_is_not_changed_until_the_next_start() throws SQLException {
        try (Connection other = DriverManager.getConnection(url)) {
            other.setAutoCommit(false);
            try (PreparedStatement read = other.prepareStatement("LOCK TABLE porchlight_audit IN SHARE MODE")) {
                read.execute();
            }
            database.migrate(Patience.LIMIT);
            assertThat(partitioned()).containsExactly("passkey_used_challenge");
            assertThat(database.advice()).singleElement().asString().contains("porchlight_audit is not partitioned");
        }
        database.migrate(Patience.LIMIT);
        assertThat(partitioned()).hasSize(2);
    }

    private void log(String... actions) {
        try (Units units = database.units(new AuditTrail(KEY, Clock.systemUTC()), statement -> () -> {})) {
            for (String action : actions) {
                units.append(AuditEvents.named(action, "ada", ""));
            }
        }
    }

    private List<String> partitioned() {
        return sql.query("SELECT relname FROM pg_class WHERE relkind = 'p' ORDER BY relname", row -> row.getString(1));
    }

    private long count(String table) {
        return sql.query("SELECT COUNT(*) FROM " + table, row -> row.getLong(1)).get(0);
    }

    private static int append(PreparedStatement statement, long seq) throws SQLException {
        statement.setString(1, "old");
        statement.setLong(2, seq);
        statement.setLong(3, now());
        return statement.executeUpdate();
    }

    private static int use(PreparedStatement statement, long expiry, String id) throws SQLException {
        statement.setLong(1, expiry);
        statement.setString(2, id);
        return statement.executeUpdate();
    }

    private static long now() {
        return System.currentTimeMillis();
    }
}
