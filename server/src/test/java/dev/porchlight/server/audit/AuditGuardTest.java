// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.Units;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Anchors find a log that was wiped or replaced, although its chains verify. */
class AuditGuardTest {
    private static final byte[] KEY = new byte[32];
    private static final List<String> TABLES = List.of("porchlight_audit", "porchlight_audit_head");

    @TempDir
    private Path directory;

    private final Database database = TestDatabase.SQLITE.open(1);
    private final Sql sql = database.sql();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_log_that_only_grew_has_no_faults() {
        assertThat(guard().faults()).isEmpty();
        for (int i = 0; i < 3; i++) {
            log("one", "two");
            assertThat(guard().anchor()).isPresent();
            assertThat(guard().faults()).isEmpty();
        }
        log("three");
        assertThat(guard().faults()).isEmpty();
    }

    @Test
    void a_wiped_log_is_found_by_each_anchor() {
        log("one", "two");
        guard().anchor();
        TABLES.forEach(table -> sql.update("DELETE FROM " + table));

        assertThat(chainFaults()).isEmpty();
        assertThat(guard().faults())
                .hasSize(2)
                .allMatch(fault -> fault.startsWith("the log was wiped or replaced by an older copy: it has 0 rows"))
                .anyMatch(fault -> fault.contains("porchlight_audit_anchor"))
                .anyMatch(fault -> fault.contains(directory.toString()));
    }

    @Test
    void an_older_copy_is_found_even_after_it_has_grown() {
        log("one");
        guard().anchor();
        TABLES.forEach(table -> sql.update("CREATE TABLE copy_of_" + table + " AS SELECT * FROM " + table));
        log("two");
        guard().anchor();
        TABLES.forEach(table -> {
            sql.update("DELETE FROM " + table);
            sql.update("INSERT INTO " + table + " SELECT * FROM copy_of_" + table);
        });

        assertThat(guard().faults()).hasSize(2).allMatch(fault -> fault.contains("older copy"));
        log("a", "b", "c", "d", "e");
        assertThat(chainFaults()).isEmpty();
        assertThat(guard().faults()).hasSize(2).allMatch(fault -> fault.contains("it does not contain row"));
    }

    @Test
    void an_older_copy_of_the_whole_database_is_found_by_the_file() {
        log("one", "two");
        guard().anchor();
        TABLES.forEach(table -> sql.update("DELETE FROM " + table));
        sql.update("DELETE FROM porchlight_audit_anchor");

        assertThat(guard().faults()).singleElement().asString().contains("the file " + directory);
    }

    @Test
    void an_anchor_that_was_changed_is_found() throws Exception {
        log("one");
        guard().anchor();
        Path file = AnchorPlace.fileOf(directory, "test.db");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        for (String changed : List.of("", "1 0 a:0:b c", Files.readString(file).replace("1 3 ", "1 2 "))) {
            Files.writeString(file, changed);
            assertThat(guard().faults()).singleElement().asString().contains("was changed");
        }
    }

    @Test
    void a_head_stored_elsewhere_must_be_in_the_log() {
        log("one", "two");
        String head = guard().anchor().orElseThrow();
        log("three");
        assertThat(guard().missing(head)).isEmpty();
        assertThat(guard().missing(head.replace(":3:", ":2:"))).get().asString().contains("does not contain");
        assertThat(guard().missing("head")).get().asString().contains("CHAIN:SEQ:HASH");
        TABLES.forEach(table -> sql.update("DELETE FROM " + table));
        assertThat(guard().missing(head)).get().asString().contains("does not contain the head");
    }

    @Test
    void a_row_removed_by_retention_still_counts_as_contained() {
        log("one");
        String head = guard().anchor().orElseThrow();
        database.maintenance(Clock.systemUTC())
                .removeAudit(new AuditRetention(sql, KEY), Instant.now().plusSeconds(60));

        assertThat(guard().missing(head)).isEmpty();
        assertThat(guard().faults()).isEmpty();
    }

    private AuditGuard guard() {
        return new AuditGuard(new AuditStore(sql), KEY, AnchorPlace.of(sql, directory, "test.db"));
    }

    private List<String> chainFaults() {
        return new AuditVerification(new AuditStore(sql), KEY).verify().faults();
    }

    private void log(String... actions) {
        try (Units units = database.units(new AuditTrail(KEY, Clock.systemUTC()), statement -> () -> {})) {
            for (String action : actions) {
                units.append(AuditEvents.named(action, "", ""));
            }
        }
    }
}
