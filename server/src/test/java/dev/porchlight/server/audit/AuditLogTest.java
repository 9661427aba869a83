// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.Together;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.storage.Units;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    private static final byte[] KEY = new byte[32];

    private Database database;
    private Sql sql;

    @BeforeEach
    void open() {
        database = TestDatabase.open(TestDatabase.SQLITE.freshUrl(), 1);
        ServerTables.migrate(database.dataSource());
        sql = database.sql();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void rows_are_in_the_order_of_events_between_a_start_row_and_an_end_row() {
        log("one", "two", "three");

        assertThat(sql.query("SELECT action FROM porchlight_audit ORDER BY seq", row -> row.getString(1)))
                .containsExactly("audit_started", "one", "two", "three", "audit_stopped");
        assertThat(faults()).isEmpty();
    }

    @Test
    void a_row_is_durable_when_append_returns() {
        try (Units units = units()) {
            AuditLog log = units.audit();
            assertThat(log.append(AuditEvent.of(AuditAction.LOGIN, "ada", "c-1")))
                    .isTrue();
            assertThat(sql.query(
                            "SELECT subject FROM porchlight_audit WHERE action = 'login'", row -> row.getString(1)))
                    .containsExactly(new AuditSubjects(KEY).of("ada"));
        }
    }

    @Test
    void events_of_many_threads_are_all_written_once() throws Exception {
        try (Units units = units()) {
            AuditLog log = units.audit();
            assertThat(Together.times(32, () -> log.append(AuditEvent.of(AuditAction.LOGIN, "ada", ""))))
                    .containsOnly(true);
            assertThat(log.written()).isEqualTo(32);
        }
        assertThat(rows("action = 'login'")).isEqualTo(32);
        assertThat(faults()).isEmpty();
    }

    @Test
    void two_instances_write_concurrently() {
        try (Units first = units();
                Units second = units()) {
            AuditLog one = first.audit();
            AuditLog two = second.audit();
            for (int i = 0; i < 5; i++) {
                assertThat(one.append(AuditEvents.named("one", "", ""))).isTrue();
                assertThat(two.append(AuditEvents.named("two", "", ""))).isTrue();
            }
        }
        assertThat(faults()).isEmpty();
    }

    @Test
    void a_changed_row_is_found() {
        log("one", "two", "three");
        for (String change : List.of(
                "action = 'x'",
                "subject = 'x'",
                "outcome = 'x'",
                "reason = 'x'",
                "operator = 'x'",
                "client_id = 'x'",
                "group_name = 'x'",
                "changed = 'x'",
                "further = 1",
                "follows = 'x'",
                "at = at + 1")) {
            open(); // on another database
            log("one", "two", "three");
            sql.update("UPDATE porchlight_audit SET " + change + " WHERE action = 'two'");

            assertThat(faults()).as(change).hasSize(1).first().asString().contains("row 2 does not follow");
            close();
        }
        open();
    }

    @Test
    void a_removed_row_is_found() {
        log("one", "two", "three");
        sql.update("DELETE FROM porchlight_audit WHERE action = 'two'");

        assertThat(faults()).hasSize(1).first().asString().contains("rows 2 to 2 are missing");
    }

    @Test
    void an_inserted_row_is_found_at_any_position() {
        log("one", "two");
        sql.update(
                "INSERT INTO porchlight_audit SELECT chain, seq + 9, at, 'forged', subject, outcome, reason,"
                        + " operator, client_id, group_name, changed, further, correlation_id, follows, hash FROM porchlight_audit WHERE action = 'two'");
        assertThat(faults()).isNotEmpty();

        sql.update("UPDATE porchlight_audit SET seq = 4 WHERE action = 'forged'");
        assertThat(faults()).hasSize(1).first().asString().contains("row 4 does not follow");
    }

    @Test
    void a_removed_chain_is_found_by_the_next_chain() throws Exception {
        log("one");
        Thread.sleep(2); // the newest row is found by its time
        log("two");
        sql.update("DELETE FROM porchlight_audit WHERE chain IN"
                + " (SELECT chain FROM porchlight_audit WHERE action = 'one')");

        assertThat(faults()).anyMatch(fault -> fault.contains("a later chain refers to"));
    }

    @Test
    void a_truncated_chain_is_found_by_the_next_chain() throws Exception {
        log("one", "two");
        Thread.sleep(2);
        log("three");
        sql.update("DELETE FROM porchlight_audit WHERE seq >= 2 AND chain IN"
                + " (SELECT chain FROM porchlight_audit WHERE action = 'one')");

        assertThat(faults()).isNotEmpty();
    }

    @Test
    void missing_newest_rows_are_found() {
        log("one", "two", "three");
        sql.update("DELETE FROM porchlight_audit WHERE seq >= 3");

        assertThat(faults()).hasSize(1).first().asString().contains("rows 3 to 4 are missing at its end");
    }

    @Test
    void a_missing_newest_chain_is_found() {
        log("one");
        log("two");
        sql.update("DELETE FROM porchlight_audit WHERE chain IN"
                + " (SELECT chain FROM porchlight_audit WHERE action = 'two')");

        assertThat(faults()).hasSize(1).first().asString().contains("all of its rows are missing");
    }

    @Test
    void a_missing_newest_chain_without_its_head_is_found() {
        log("one");
        log("two");
        String newest = sql.query("SELECT chain FROM porchlight_audit WHERE action = 'two'", row -> row.getString(1))
                .get(0);
        sql.update("DELETE FROM porchlight_audit WHERE chain = ?", newest);
        sql.update("DELETE FROM porchlight_audit_head WHERE chain = ?", newest);
        assertThat(faults()).hasSize(1).first().asString().contains("there are 1, and 2 chains began");

        sql.update("UPDATE porchlight_audit_head SET seq = 1 WHERE chain = ''");
        assertThat(faults()).containsExactly("the count of chains was changed");
        log("three");
        assertThat(faults()).containsExactly("the count of chains was changed");

        sql.update("DELETE FROM porchlight_audit_head WHERE chain = ''");
        assertThat(faults()).hasSize(1).first().asString().contains("no count of them");
        log("four");
        assertThat(faults()).hasSize(1).first().asString().contains("there are 3, and 1 chains began");
    }

    @Test
    void a_head_that_was_moved_or_removed_is_found() {
        log("one", "two");
        sql.update("DELETE FROM porchlight_audit WHERE seq = 3");
        sql.update("UPDATE porchlight_audit_head SET seq = 2, hash ="
                + " (SELECT hash FROM porchlight_audit WHERE seq = 2) WHERE chain <> ''");
        assertThat(faults()).hasSize(1).first().asString().contains("its head was changed");

        sql.update("DELETE FROM porchlight_audit_head WHERE chain <> ''");
        assertThat(faults()).hasSize(2).last().asString().contains("its head was removed");
    }

    @Test
    void a_log_that_is_being_written_has_no_faults() {
        try (Units units = units()) {
            AuditLog log = units.audit();
            log.append(AuditEvents.named("one", "ada", ""));
            AuditVerification begun = new AuditVerification(new AuditStore(sql), KEY);
            log.append(AuditEvents.named("two", "ada", ""));
            log("of another instance");

            assertThat(begun.verify().faults()).isEmpty();
        }
    }

    @Test
    void a_row_cannot_be_forged_without_the_key() {
        log("one");

        byte[] other = new byte[32];
        other[0] = 1;
        assertThat(new AuditVerification(new AuditStore(sql), other).verify().faults())
                .isNotEmpty();
    }

    @Test
    void a_row_that_cannot_be_written_is_counted_and_does_not_block() {
        try (Units units = units()) {
            AuditLog log = units.audit();
            assertThat(log.append(AuditEvents.named("one", "", ""))).isTrue();
            sql.update("ALTER TABLE porchlight_audit RENAME TO elsewhere");
            assertThat(log.append(AuditEvents.named("two", "", ""))).isFalse();
            assertThat(log.lost()).isEqualTo(1);

            sql.update("ALTER TABLE elsewhere RENAME TO porchlight_audit");
            assertThat(log.append(AuditEvents.named("three", "", ""))).isTrue();
        }
        assertThat(faults()).isEmpty();
    }

    private void log(String... actions) {
        try (Units units = units()) {
            AuditLog log = units.audit();
            for (String action : actions) {
                assertThat(log.append(AuditEvents.named(action, "ada", "c-1"))).isTrue();
            }
        }
    }

    private Units units() {
        return database.units(new AuditTrail(KEY, Clock.systemUTC()), statement -> () -> {});
    }

    private List<String> faults() {
        return new AuditVerification(new AuditStore(sql), KEY).verify().faults();
    }

    private int rows(String where) {
        return sql.query("SELECT COUNT(*) FROM porchlight_audit WHERE " + where, row -> row.getInt(1))
                .get(0);
    }
}
