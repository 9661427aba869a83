// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.Units;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bounds of the audit log: rows per minute and retention. */
class AuditBoundsTest {
    private static final byte[] KEY = new byte[32];
    private static final long MINUTE = 60_000;

    private final AtomicLong now = new AtomicLong(MINUTE * 1_000_000);
    private final Database database = TestDatabase.SQLITE.open(1);
    private final Sql sql = database.sql();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void refusals_above_the_limit_per_minute_become_one_row_without_user_ids() {
        try (Units units = units()) {
            refuse(units, "unknown_credential", 500);
            refuse(units, "bad_signature", 5);
            assertThat(count("reason = 'unknown_credential'")).isEqualTo(RefusalCounts.ROWS_PER_MINUTE);

            now.addAndGet(MINUTE);
            units.flush();
            assertThat(sql.query(
                            "SELECT subject || action || ' ' || reason || ' ' || further FROM porchlight_audit WHERE action LIKE '%summary'",
                            row -> row.getString(1)))
                    .containsExactly("login_summary unknown_credential " + (500 - RefusalCounts.ROWS_PER_MINUTE));
            assertThat(units.audit().aggregated()).isEqualTo(500 - RefusalCounts.ROWS_PER_MINUTE);

            refuse(units, "unknown_credential", 1);
            assertThat(count("action = 'login' AND reason = 'unknown_credential'"))
                    .isEqualTo(RefusalCounts.ROWS_PER_MINUTE + 1);
        }
        assertThat(count("reason = 'bad_signature'")).isEqualTo(5);
        assertThat(faults()).isEmpty();
    }

    @Test
    void refusals_that_require_a_passkey_are_counted_per_user() {
        try (Units units = units()) {
            for (int i = 0; i < 3 * RefusalCounts.ROWS_PER_MINUTE; i++) {
                units.append(AuditEvent.refused(AuditAction.LOGIN, "mallory", "sign_count", ""));
            }
            units.append(AuditEvent.refused(AuditAction.LOGIN, "ada", "sign_count", ""));
        }
        AuditSubjects subjects = new AuditSubjects(KEY);
        String mallory = "subject = '" + subjects.of("mallory") + "' AND action = ";
        assertThat(count("subject = '" + subjects.of("ada") + "'")).isEqualTo(1);
        assertThat(count(mallory + "'login'")).isEqualTo(RefusalCounts.ROWS_PER_MINUTE);
        assertThat(count(mallory + "'login_summary'")).isEqualTo(1);
    }

    @Test
    void the_count_of_an_unfinished_minute_is_written_when_the_trail_ends() {
        try (Units units = units()) {
            refuse(units, "unknown_credential", 50);
        }
        assertThat(count("action = 'login_summary' AND reason = 'unknown_credential' AND further = 30"))
                .isEqualTo(1);
        assertThat(faults()).isEmpty();
    }

    @Test
    void sign_ins_to_a_client_are_read_by_an_index() {
        assertThat(sql.query(
                        "EXPLAIN QUERY PLAN " + AuditStore.SIGN_INS_TO, row -> row.getString("detail"), "app", 0, 20))
                .first()
                .asString()
                .contains("porchlight_audit_by_client (client_id=? AND at>?)");
        assertThat(sql.query("EXPLAIN QUERY PLAN " + AuditStore.LAST_SIGN_INS, row -> row.getString("detail")))
                .anyMatch(step -> step.contains("porchlight_audit_by_client (client_id=? AND at>?)"));
    }

    @Test
    void accepted_logins_are_never_aggregated() {
        try (Units units = units()) {
            for (int i = 0; i < 100; i++) {
                units.append(AuditEvent.of(AuditAction.LOGIN, "ada", ""));
            }
        }
        assertThat(count("action = 'login'")).isEqualTo(100);
    }

    @Test
    void old_rows_are_removed_and_the_log_still_verifies() {
        try (Units old = units();
                Units running = units()) {
            append(old, 30);
            append(running, 10);
            for (int day = 0; day < 5; day++) {
                now.addAndGet(Duration.ofDays(1).toMillis());
                append(running, 10);
                assertThat(remove(Duration.ofHours(23))).isPositive();
                assertThat(faults()).as("day " + day).isEmpty();
            }
        }
        try (Units next = units()) {
            append(next, 1);
        }
        assertThat(faults()).isEmpty();
        assertThat(count("action = 'login'")).isEqualTo(11);
        assertThat(sql.query("SELECT COUNT(*) FROM porchlight_audit_checkpoint", row -> row.getInt(1)))
                .allSatisfy(checkpoints -> assertThat(checkpoints).isBetween(2, 4));
    }

    @Test
    void a_checkpoint_that_was_changed_or_removed_is_found() {
        try (Units units = units()) {
            append(units, 10);
            now.addAndGet(Duration.ofDays(2).toMillis());
            append(units, 10);
        }
        remove(Duration.ofDays(1));
        assertThat(faults()).isEmpty();
        sql.update("UPDATE porchlight_audit_checkpoint SET to_seq = to_seq + 1");
        assertThat(faults()).anyMatch(fault -> fault.contains("the checkpoint at 0 was changed"));
        sql.update("DELETE FROM porchlight_audit_checkpoint");
        assertThat(faults()).anyMatch(fault -> fault.contains("rows 0 to 10 are missing"));
    }

    @Test
    void rows_removed_by_hand_are_found_beside_rows_removed_by_retention() {
        try (Units units = units()) {
            append(units, 10);
            now.addAndGet(Duration.ofDays(2).toMillis());
            append(units, 10);
        }
        remove(Duration.ofDays(1));
        sql.update("DELETE FROM porchlight_audit WHERE seq IN (11, 12)");
        assertThat(faults()).containsExactly("chain " + chain() + ": rows 11 to 12 are missing");
    }

    private String chain() {
        return sql.query("SELECT chain FROM porchlight_audit", row -> row.getString(1))
                .get(0);
    }

    private int remove(Duration age) {
        return database.maintenance(Clock.systemUTC())
                .removeAudit(
                        new AuditRetention(sql, KEY),
                        Instant.ofEpochMilli(now.get()).minus(age));
    }

    private Units units() {
        return database.units(new AuditTrail(KEY, () -> Instant.ofEpochMilli(now.get())), statement -> () -> {});
    }

    private void refuse(Units units, String reason, int times) {
        for (int i = 0; i < times; i++) {
            units.append(AuditEvent.refused(AuditAction.LOGIN, "stranger " + reason + i, reason, ""));
        }
    }

    private void append(Units units, int times) {
        for (int i = 0; i < times; i++) {
            units.append(AuditEvent.of(AuditAction.LOGIN, "ada", ""));
        }
    }

    private long count(String where) {
        return sql.query("SELECT COUNT(*) FROM porchlight_audit WHERE " + where, row -> row.getLong(1))
                .get(0);
    }

    private List<String> faults() {
        return new AuditVerification(new AuditStore(sql), KEY).verify().faults();
    }
}
