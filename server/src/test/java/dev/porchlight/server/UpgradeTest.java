// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.storage.Database;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.contract.Catalog;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.server.PostgresServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The service on a database that version 1.0.0 wrote: its tables on each engine, its rows, and what its user holds. The files
 * of a release never change: a later release adds its own.
 */
class UpgradeTest {
    private static final Path FIXTURES =
            Path.of(System.getProperty("porchlight.root"), "server/src/test/resources/upgrade");
    private static final String RELEASE = "1.0.0";

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void an_upgraded_database_has_the_same_tables_as_a_new_one(TestDatabase engine) throws Exception {
        try (Database upgraded = TestDatabase.open(restored(engine), 1);
                Database fresh = engine.open(1)) {
            upgraded.migrate(Patience.LIMIT);

            assertThat(Catalog.read(upgraded.dataSource())).isEqualTo(Catalog.read(fresh.dataSource()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void its_user_stays_signed_in_and_signs_in_again_and_the_audit_log_verifies(TestDatabase engine) throws Exception {
        JsonObject held = JsonObject.parse(Files.readString(FIXTURES.resolve(RELEASE + ".json")));
        MovableClock clock = MovableClock.startingAt(Instant.ofEpochMilli((Long) held.get("writtenAt") + 1_000));
        try (Service service = Service.at(clock, restored(engine))) {
            service.web()
                    .with("Cookie", held.string("session"))
                    .get("/auth/session")
                    .expect(200);
            SoftAuthenticator key = SoftAuthenticator.securityKey()
                    .restore(held.object("authenticator").toString());
            service.person("ada", key).login().expect(200);
            service.web().post("/auth/signup", "{\"userId\":\"ADA\"}").expectProblem(409, "user_exists");
            assertThat(service.admin()
                            .get("/admin/audit?userId=ada")
                            .expect(200)
                            .json()
                            .objects("events"))
                    .extracting(event -> event.string("action"))
                    .containsExactly("login", "login", "registration");
            assertThat(service.withSql(UpgradeTest::faults)).isEmpty();
        }
    }

    @Test
    void keys_that_the_release_lacked_are_published_before_they_sign() throws Exception {
        try (Service service = Service.at(restored(TestDatabase.SQLITE))) {
            assertThat(service.rows("porchlight_signing_key")).hasSize(3);
            assertThat(service.web()
                            .get("/.well-known/jwks.json")
                            .expect(200)
                            .json()
                            .objects("keys"))
                    .extracting(key -> key.string("alg"))
                    .contains("ES256", "RS256");
        }
    }

    /** Writes the files of this release: {@code -Dporchlight.upgrade.write=true}. */
    @Test
    @EnabledIfSystemProperty(named = "porchlight.upgrade.write", matches = "true")
    void writes_the_files_of_this_release() throws Exception {
        SoftAuthenticator key = SoftAuthenticator.securityKey();
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person ada = service.person("ada", key).enroll();
            String session = Person.cookie(ada.login().expect(200));
            String dump = service.withSql(UpgradeTest::dump);
            JsonObject held = new JsonObject()
                    .put("writtenAt", service.clock().millis())
                    .put("session", session)
                    .put("authenticator", JsonObject.parse(key.export()));
            Files.createDirectories(FIXTURES);
            Files.writeString(FIXTURES.resolve(RELEASE + ".sql"), dump);
            Files.writeString(FIXTURES.resolve(RELEASE + ".json"), held + "\n");
        }
        String url = TestDatabase.POSTGRES.freshUrl();
        try (Database database = TestDatabase.open(url, 1)) {
            database.migrate(Patience.LIMIT);
            String statements = PostgresServer.schema(url)
                    .replaceAll("(?m)^(--|SET |SELECT pg_catalog|\\\\).*", "")
                    .replaceAll("\n{2,}", "\n");
            Files.writeString(FIXTURES.resolve(RELEASE + "-postgresql.sql"), statements.strip() + "\n");
        }
    }

    private static List<String> faults(Sql sql) {
        byte[] key = new DerivedKeys(Service.SECRET).forPurpose("audit chain");
        return new AuditVerification(new AuditStore(sql), key).verify().faults();
    }

    /** The URL of a new database with the tables and rows of the release. */
    private static String restored(TestDatabase engine) throws IOException, SQLException {
        String url = engine.freshUrl();
        String dump = Files.readString(FIXTURES.resolve(RELEASE + ".sql"));
        if (engine == TestDatabase.POSTGRES) { // other tables, the same rows
            dump = Files.readString(FIXTURES.resolve(RELEASE + "-postgresql.sql"))
                    + dump.substring(dump.indexOf("INSERT INTO "));
        }
        try (Database database = TestDatabase.open(url, 1);
                Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String line : dump.split(";\n", -1)) {
                if (!line.isBlank()) {
                    statement.executeUpdate(line);
                }
            }
        }
        return url;
    }

    private static String dump(Sql sql) {
        List<String> statements = new ArrayList<>(sql.query(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, name",
                row -> row.getString(1)));
        for (String table : sql.query(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", row -> row.getString(1))) {
            String columns = String.join(
                    " || ', ' || ",
                    sql.query(
                            "SELECT 'quote(' || name || ')' FROM pragma_table_info(?)",
                            row -> row.getString(1),
                            table));
            statements.addAll(sql.query(
                    "SELECT 'INSERT INTO " + table + " VALUES (' || " + columns + " || ')' FROM " + table
                            + " ORDER BY 1",
                    row -> row.getString(1)));
        }
        return String.join(";\n", statements) + ";\n";
    }
}
