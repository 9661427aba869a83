// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditRetention;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.audit.AuditTrail;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.support.Patience;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Maintenance of partitions on PostgreSQL over time. */
class TableMaintenanceTest {
    private static final byte[] KEY = new byte[32];
    private static final long MINUTE = 60_000;

    private final String url = TestDatabase.POSTGRES.freshUrl();
    private final long start = System.currentTimeMillis();
    private Database database;
    private Sql sql;

    @BeforeEach
    void open() {
        database = TestDatabase.open(url, 4);
        database.migrate(Patience.LIMIT);
        sql = database.sql();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void used_challenges_expire_with_their_partition() {
        for (int i = 0; i < 12; i++) {
            long now = start + i * 20 * MINUTE;
            maintenance(now).run();
            use("challenge " + i, now + 5 * MINUTE);
        }

        assertThat(sql.query(
                        "SELECT challenge_id FROM passkey_used_challenge ORDER BY expires_at", r -> r.getString(1)))
                .endsWith("challenge 11")
                .doesNotContain("challenge 1", "challenge 9");
        assertThat(partitions("passkey_used_challenge"))
                .hasSizeBetween(11, 14)
                .doesNotContain("passkey_used_challenge_first");
        assertThat(count("passkey_used_challenge_default")).isZero();
    }

    @Test
    void counts_of_events_are_removed_after_two_days() {
        Instant now = Instant.ofEpochMilli(start);
        var unused = sql.transaction("count", connection -> ReportedEvents.count(connection, "event", now, now, 1));
        long twoDays = start + Duration.ofDays(2).toMillis();

        maintenance(twoDays).run();
        assertThat(count("porchlight_reported_event")).isEqualTo(1);
        maintenance(twoDays + 1).run();
        assertThat(count("porchlight_reported_event")).isZero();
    }

    @Test
    void rows_in_the_default_partition_expire_too() {
        long now = start
                + 10 * 24 * 60 * MINUTE; // the service was stopped for days, and a login came before the maintenance
        use("early", now + 5 * MINUTE);
        assertThat(count("passkey_used_challenge_default")).isEqualTo(1);

        maintenance(now).run();
        maintenance(now).run();
        use("next", now + 15 * MINUTE);
        assertThat(count("passkey_used_challenge_default")).isEqualTo(1);

        maintenance(now + 16 * MINUTE).run();
        assertThat(sql.query("SELECT challenge_id FROM passkey_used_challenge", row -> row.getString(1)))
                .containsExactly("next");
    }

    @Test
    void a_challenge_is_used_once_across_partition_changes() {
        long expiry = start + 5 * MINUTE;
        assertThat(use("one", expiry)).isEqualTo(1);
        for (int i = 0; i < 3; i++) {
            maintenance(start + i * MINUTE).run();
            assertThat(use("one", expiry)).isZero();
        }
    }

    @Test
    void several_instances_maintain_partitions_concurrently() throws Exception {
        for (int i = 0; i < 5; i++) {
            long now = start + i * 200 * MINUTE;
            assertThat(Together.times(4, () -> {
                        maintenance(now).run();
                        return true;
                    }))
                    .containsOnly(true);
        }
        maintenance(start + 800 * MINUTE).run();
        assertThat(partitions("passkey_used_challenge")).hasSizeBetween(10, 12);
    }

    @Test
    void a_table_in_use_is_skipped_until_the_next_run() throws SQLException {
        long later = start + 300 * MINUTE;
        List<String> before = partitions("passkey_used_challenge");
        try (Connection login = DriverManager.getConnection(url);
                Statement statement = login.createStatement()) {
            login.setAutoCommit(false);
            statement.execute("LOCK TABLE passkey_used_challenge IN ACCESS SHARE MODE");
            maintenance(later).run();
            assertThat(partitions("passkey_used_challenge")).containsAll(before);
        }
        maintenance(later).run();
        assertThat(partitions("passkey_used_challenge")).doesNotContainAnyElementsOf(withoutDefault(before));
    }

    @Test
    void audit_rows_are_partitioned_by_month() {
        long now = start;
        for (int month = 0; month < 5; month++) {
            maintenance(now).run();
            append("at month " + month, now);
            now += Duration.ofDays(30).toMillis();
        }

        assertThat(partitions("porchlight_audit")).hasSizeBetween(5, 8).contains("porchlight_audit_first");
        assertThat(count("porchlight_audit_default")).isZero();
        assertThat(verify()).isEmpty();
    }

    @Test
    void old_audit_partitions_are_dropped_and_the_log_still_verifies() {
        append("early", start);
        long later = start + Duration.ofDays(120).toMillis();
        maintenance(later).run();
        append("late", later);
        assertThat(verify()).isEmpty();

        assertThat(remove(later, start)).isZero();
        assertThat(remove(later, later - Duration.ofDays(20).toMillis())).isPositive();

        assertThat(sql.query("SELECT subject FROM porchlight_audit WHERE subject <> ''", row -> row.getString(1)))
                .containsExactly(new AuditSubjects(KEY).of("late"));
        assertThat(verify()).isEmpty();
        sql.update("DELETE FROM porchlight_audit_checkpoint");
        assertThat(verify())
                .hasSize(2)
                .anyMatch(fault -> fault.contains("all of its rows are missing"))
                .anyMatch(fault -> fault.contains("a row that a later chain refers to is missing"));
    }

    @Test
    void old_audit_rows_without_a_partition_are_deleted_and_the_log_still_verifies() {
        long far = start + Duration.ofDays(400).toMillis();
        append("far", far);
        assertThat(count("porchlight_audit_default")).isPositive();

        assertThat(remove(far, far + 1)).isPositive();
        assertThat(count("porchlight_audit")).isZero();
        append("next", far);
        assertThat(verify()).isEmpty();
    }

    private int remove(long now, long before) {
        return maintenance(now).removeAudit(new AuditRetention(sql, KEY), Instant.ofEpochMilli(before));
    }

    private TableMaintenance maintenance(long now) {
        return database.maintenance(clock(now));
    }

    private static Clock clock(long now) {
        return Clock.fixed(Instant.ofEpochMilli(now), ZoneOffset.UTC);
    }

    private int use(String id, long expiry) {
        return sql.update(
                "INSERT INTO passkey_used_challenge (expires_at, challenge_id) VALUES (?, ?)"
                        + " ON CONFLICT (expires_at, challenge_id) DO NOTHING",
                expiry,
                id);
    }

    private void append(String user, long now) {
        try (Units units = database.units(new AuditTrail(KEY, clock(now)), statement -> () -> {})) {
            units.append(AuditEvent.of(AuditAction.LOGIN, user, ""));
        }
    }

    private List<String> verify() {
        return new AuditVerification(new AuditStore(sql), KEY).verify().faults();
    }

    private List<String> partitions(String table) {
        return sql.query(
                "SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = to_regclass(?)",
                row -> row.getString(1),
                table);
    }

    private static List<String> withoutDefault(List<String> partitions) {
        return partitions.stream().filter(name -> !name.endsWith("_default")).toList();
    }

    private long count(String table) {
        return sql.query("SELECT COUNT(*) FROM " + table, row -> row.getLong(1)).get(0);
    }
}
