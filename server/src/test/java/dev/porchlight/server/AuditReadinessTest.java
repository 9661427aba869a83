// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.server.storage.Database;
import dev.porchlight.testkit.files.FastDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A service whose audit log was wiped or replaced while it was stopped is not ready until an operator accepts the log. */
class AuditReadinessTest {
    private final Path data = FastDirectory.fresh();
    private final Path file = data.resolve("porchlight.db");

    @Test
    void a_wiped_log_is_reported_until_it_is_accepted() {
        try (Service service = service()) {
            service.newUser().enroll().login().expect(200);
            service.web().get("/health/ready").expect(200);
        }
        wipe();
        try (Service service = service()) {
            assertThat(service.web().get("/health/ready").expect(503).body())
                    .contains("\"audit\":{\"status\":\"down\"", "the log was wiped or replaced by an older copy");
            assertThat(service.metrics()).contains("audit_log_faults 2");
            assertThat(service.logs()).contains("the audit log was tampered with or replaced");
        }
        assertThat(CliRun.of(environment(), "audit", "accept").status()).isZero();
        try (Service service = service()) {
            service.web().get("/health/ready").expect(200);
            assertThat(service.logs()).contains("audit log head");
        }
    }

    @Test
    void an_older_copy_of_the_database_is_reported() throws Exception {
        try (Service service = service()) {
            service.newUser().enroll();
        }
        Path copy = Files.copy(file, data.resolve("copy.db"));
        try (Service service = service()) {
            service.newUser().enroll();
        }
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
        for (String newer : List.of("-wal", "-shm")) { // left if a connection was still open
            Files.deleteIfExists(Path.of(file + newer));
        }
        try (Service service = service()) {
            assertThat(service.web().get("/health/ready").expect(503).body()).contains("older copy");
        }
    }

    @Test
    void an_emptied_postgresql_is_reported() {
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Service service = Service.at(url, "DATA_DIR", data.toString())) {
            service.newUser().enroll();
        }
        truncate(url);
        try (Service service = Service.at(url, "DATA_DIR", data.toString())) {
            assertThat(service.web().get("/health/ready").expect(503).body())
                    .contains("but the file " + data.resolve("audit-anchor"));
        }
    }

    private static void truncate(String url) {
        try (Database database = TestDatabase.open(url, 1)) {
            database.sql().update("TRUNCATE porchlight_audit, porchlight_audit_head, porchlight_audit_anchor");
        }
    }

    private void wipe() {
        try (Database database = TestDatabase.open("jdbc:sqlite:" + file, 1)) {
            database.sql().update("DELETE FROM porchlight_audit");
            database.sql().update("DELETE FROM porchlight_audit_head");
        }
    }

    private Service service() {
        return Service.at("jdbc:sqlite:" + file, "DATA_DIR", data.toString());
    }

    private Map<String, String> environment() {
        return Map.of(
                "DATABASE_URL", "jdbc:sqlite:" + file, "DATA_DIR", data.toString(), "SESSION_SECRET", Service.SECRET);
    }
}
