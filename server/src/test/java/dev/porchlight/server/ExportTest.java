// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.server.storage.Database;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Moves users and passkeys from one database to another without new registrations. */
@Tag("slow")
class ExportTest {
    private static final String ALL_PASSKEYS =
            "SELECT credential_id, user_id, public_key, sign_count, origin, user_handle, transports, backup_eligible,"
                    + " backed_up, user_verified, verification_required, discoverable, aaguid, attestation_format,"
                    + " attestation_trust, name, created_at, last_used_at FROM passkey_credential";
    private static final String ALL_USERS = "SELECT user_id, user_handle, name, display_name FROM passkey_user";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"SQLITE, POSTGRES", "POSTGRES, SQLITE"})
    void exported_passkeys_sign_in_at_another_database(TestDatabase from, TestDatabase to) throws Exception {
        Path file = directory.resolve("passkeys.jsonl");
        String there = to.freshUrl();
        List<Person> people = new ArrayList<>();
        try (Service old = Service.on(from)) {
            people.add(old.person("älter than \"ASCII\"", SoftAuthenticator.securityKey())
                    .enroll());
            people.add(old.person("synced", SoftAuthenticator.syncedPasskeys()).enroll());
            people.get(0).login().expect(200);
            people.get(0).login().expect(200);
            rename(people.get(1));

            CliRun export = run(old.databaseUrl(), "export", file.toString());
            assertThat(export.status()).as(export.err()).isZero();
            CliRun imported = run(there, "import", file.toString());
            assertThat(imported)
                    .isEqualTo(new CliRun(0, "imported 2 passkeys and 2 users; 0 passkeys already existed\n", ""));
            CliRun again = run(there, "import", file.toString());
            assertThat(again.out()).isEqualTo("imported 0 passkeys and 0 users; 2 passkeys already existed\n");

            try (Service fresh = Service.at(there)) {
                assertThat(rows(fresh, ALL_PASSKEYS, 18))
                        .hasSize(2)
                        .containsExactlyInAnyOrderElementsOf(rows(old, ALL_PASSKEYS, 18));
                assertThat(rows(fresh, ALL_USERS, 4)).containsExactlyInAnyOrderElementsOf(rows(old, ALL_USERS, 4));
            }
        }
        try (Service fresh = Service.at(there)) {
            for (Person person : people) {
                fresh.person(person.userId(), person.browser().authenticator())
                        .login()
                        .expect(200);
                String unnamed =
                        fresh.web().get(Person.LOGIN_OPTIONS).expect(200).body();
                fresh.web()
                        .post(Person.LOGIN_FINISH, person.browser().get(unnamed))
                        .expect(200);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"SQLITE, POSTGRES", "POSTGRES, SQLITE"})
    void profiles_and_groups_move_with_users_who_are_new(TestDatabase from, TestDatabase to) throws Exception {
        String file = directory.resolve("people.jsonl").toString();
        String there = to.freshUrl();
        String profile =
                "{\"name\":\"Ada\",\"email\":\"ada@example.com\",\"emailVerified\":true,\"claims\":{\"level\":3}}";
        try (Service old = Service.on(from)) {
            for (String user : List.of("ada", "bob", "cy")) {
                old.person(user, SoftAuthenticator.securityKey()).enroll();
                old.admin().patch("/admin/users/" + user, profile).expect(204);
                old.admin()
                        .patch("/admin/users/" + user, "{\"groups\":[\"admins\",\"staff\"]}")
                        .expect(204);
            }
            old.admin()
                    .patch("/admin/groups/staff", "{\"claims\":{\"building\":7}}")
                    .expect(204);
            old.admin()
                    .post("/admin/operators", "{\"userId\":\"ada\",\"role\":\"owner\"}")
                    .expect(204);
            assertThat(run(old.databaseUrl(), "export", file).status()).isZero();
        }
        try (Service fresh = Service.at(there)) {
            fresh.admin().post("/admin/enrollments", "{\"userId\":\"bob\"}").expect(201);

            assertThat(run(there, "import", file).out()).startsWith("imported 3 passkeys and 3 users");

            JsonObject ada = person(fresh, "ada");
            assertThat(ada.string("email")).isEqualTo("ada@example.com");
            assertThat(ada.get("emailVerified")).isEqualTo(true);
            assertThat(ada.object("claims").get("level")).isEqualTo(3L);
            assertThat(ada.get("groups")).hasToString("[admins, staff]");
            assertThat(ada.names()).doesNotContain("role");
            assertThat(rows(fresh, "SELECT group_name, claims FROM porchlight_group", 2))
                    .containsExactlyInAnyOrder(List.of("staff", "{\"building\":7}"), List.of("admins", "null"));
            // Bob was invited here, without a group and a profile.
            assertThat(person(fresh, "bob").names()).doesNotContain("name");
            assertThat(person(fresh, "bob").get("groups")).hasToString("[]");

            fresh.admin()
                    .patch("/admin/users/ada", "{\"email\":null,\"groups\":[\"staff\"]}")
                    .expect(204);
            fresh.admin().delete("/admin/users/cy").expect(204);
            assertThat(run(there, "import", file).status()).isZero();
            assertThat(rows(fresh, "SELECT user_id FROM porchlight_profile", 1)).containsExactly(List.of("ada"));
            assertThat(run(there, "import", "--revive", file).out()).startsWith("imported 1 passkey and 1 user");

            assertThat(person(fresh, "ada").names()).doesNotContain("email");
            assertThat(person(fresh, "ada").get("groups")).hasToString("[staff]");
            assertThat(person(fresh, "cy").names()).doesNotContain("name");
            assertThat(person(fresh, "cy").get("groups")).hasToString("[]");
        }
    }

    private static JsonObject person(Service service, String userId) {
        return service.admin().get("/admin/users/" + userId).expect(200).json();
    }

    @Test
    void the_export_file_is_owner_only_and_equals_standard_output() throws Exception {
        Path file = directory.resolve("passkeys.jsonl");
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            service.newUser().enroll();
            run(service.databaseUrl(), "export", file.toString());

            String printed = run(service.databaseUrl(), "export", "-").out();

            assertThat(printed.replaceAll("exportedAt\":\"[^\"]*", ""))
                    .isEqualTo(Files.readString(file).replaceAll("exportedAt\":\"[^\"]*", ""));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(run(service.databaseUrl(), "export", file.toString()).status())
                    .isEqualTo(1);
            assertThat(rows(service, "SELECT action FROM porchlight_audit WHERE action LIKE 'passkeys%'", 1))
                    .containsExactly(List.of("passkeys_exported"), List.of("passkeys_exported"));
        }
    }

    @Test
    void sqlite_writers_do_not_wait_for_an_export_and_are_not_in_it() {
        List<String> exported = new ArrayList<>();
        try (Database database = TestDatabase.open(TestDatabase.SQLITE.freshUrl(), 1)) {
            database.migrate(Patience.LIMIT);
            database.sql()
                    .update("WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)"
                            + " INSERT INTO passkey_user (user_id, user_handle) SELECT 'u' || i, 'h' || i FROM n");

            new PasskeyExport(database.dataSource())
                    .read(
                            user -> {
                                exported.add(user.userId());
                                if (exported.size() == 1_000) {
                                    database.sql()
                                            .update(
                                                    "INSERT INTO passkey_user (user_id, user_handle) VALUES ('z', 'z')");
                                }
                            },
                            passkey -> {});

            assertThat(exported).hasSize(1_501).doesNotContain("z");
            assertThat(database.sql()
                            .query("SELECT user_id FROM passkey_user WHERE user_id = 'z'", row -> row.getString(1)))
                    .hasSize(1);
        }
    }

    @Test
    void postgresql_tolerates_a_slow_export_or_import_file() throws Exception {
        String hasty = TestDatabase.POSTGRES.freshUrl() + "&options=-c%20idle_in_transaction_session_timeout=100";
        try (Database database = TestDatabase.open(hasty, 1)) {
            database.migrate(Patience.LIMIT);
            try (PasskeyImport target = PasskeyImport.into(database.dataSource())) {
                target.add(new UserRecord("ada", "YWRh", null, null), "line 1");
                Thread.sleep(500); // longer than the server's timeout
                assertThat(target.finish().users()).isEqualTo(1);
            }
            List<String> exported = new ArrayList<>();
            new PasskeyExport(database.dataSource())
                    .read(
                            user -> {
                                exported.add(user.userId());
                                pause();
                            },
                            passkey -> {});
            assertThat(exported).containsExactly("ada");
        }
    }

    private static void pause() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void an_invalid_line_is_named_and_nothing_is_imported() throws Exception {
        List<String> lines = exported();
        String user = lines.get(1);
        String passkey = lines.get(2);

        refused(lines, 0, line -> line.replace(":1,", ":2,"), "line 1: unsupported version");
        refused(lines, 0, line -> "{}", "line 1: not an export of passkeys");
        refused(lines, 1, line -> line.replace("\"handle\"", "\"hundle\""), "line 2: hundle: unknown member");
        refused(lines, 1, line -> line.replaceFirst("\"handle\":\"[^\"]*\"", "\"handle\":\"A\""), "line 2: handle: ");
        refused(
                lines,
                1,
                line -> line.replace("}", ",\"profile\":{\"mail\":\"a\"}}"),
                "line 2: profile.mail: unknown member");
        refused(
                lines,
                1,
                line -> line.replace("}", ",\"profile\":{\"email\":\"a\"}}"),
                "line 2: profile.email: must be");
        refused(lines, 1, line -> line.replace("}", ",\"groups\":[\"a b\"]}"), "line 2: group: ");
        refused(lines, 1, line -> "{\"group\":\"a b\"}\n" + line, "line 2: group: ");
        refused(lines, 1, line -> "{\"group\":\"a\",\"claims\":{\"sub\":1}}\n" + line, "line 2: claims: ");
        refused(lines, 1, line -> line + " {}", "line 2: JSON: unexpected content after");
        refused(lines, 1, line -> "", "line 2: JSON: ");
        refused(lines, 2, line -> line.replaceFirst("\"x\":\"....", "\"x\":\"AAAA"), "line 3: jwk: ");
        refused(lines, 2, line -> line.replace("\"kty\":\"EC\"", "\"kty\":7"), "line 3: publicKey.kty: ");
        refused(lines, 2, line -> line.replace("\"kty\"", "\"alg\":\"RS256\",\"kty\""), "line 3: publicKey.alg: ");
        refused(lines, 2, line -> line.replace("\"kty\"", "\"d\":\"AA\",\"kty\""), "line 3: publicKey.d: ");
        refused(lines, 2, line -> line.replaceFirst("\"signCount\":\\d+", "\"signCount\":-1"), "line 3: signCount: ");
        refused(
                lines,
                2,
                line -> line.replaceFirst("\"user\":\"[^\"]*\"", "\"user\":\"a\\\\u0000b\""),
                "line 3: user: ");
        refused(lines, 2, line -> line.replaceFirst("\"passkey\":\"[^\"]*", "$0="), "line 3: passkey: ");
        refused(
                lines,
                2,
                line -> line.replaceFirst("\"createdAt\":\"[^\"]*", "\"createdAt\":\"today"),
                "line 3: createdAt: ");
        refused(
                lines,
                3,
                line -> line.replace("\"passkeys\":1", "\"passkeys\":2"),
                "line 4: the numbers do not match: users 1, passkeys 1");
        refused(lines, 3, line -> line + "\n" + user, "line 5: unexpected line after the end");
        refused(lines.subList(0, 3), 2, UnaryOperator.identity(), "line 4: the last line is missing");
        refused(lines, 2, line -> passkey + " ".repeat(65_536), "line 3: longer than 65536 characters");
    }

    @Test
    void extra_members_of_a_key_are_not_stored() throws Exception {
        List<String> lines = exported();
        String target = TestDatabase.SQLITE.freshUrl();
        List<String> further = new ArrayList<>(lines);
        further.set(
                2,
                lines.get(2).replace("\"kty\"", "\"alg\":\"ES256\",\"use\":\"sig\",\"key_ops\":[\"verify\"],\"kty\""));

        CliRun imported = run(target, "import", write(further));

        assertThat(imported.status()).as(imported.err()).isZero();
        assertThat(run(target, "export", "-").out().lines().toList().get(2)).isEqualTo(lines.get(2));
    }

    @Test
    void an_import_never_takes_over_a_passkey_or_handle() throws Exception {
        List<String> lines = exported();
        String target = TestDatabase.SQLITE.freshUrl();
        assertThat(run(target, "import", write(lines)).status()).isZero();

        List<String> otherOwner = new ArrayList<>(lines);
        otherOwner.replaceAll(line -> line.replaceFirst("\"user\":\"[^\"]*\"", "\"user\":\"mallory\"")
                .replaceFirst("\"handle\":\"[^\"]*\"", "\"handle\":\"bWFsbG9yeQ\""));
        CliRun stolen = run(target, "import", write(otherOwner));
        assertThat(stolen.status()).isEqualTo(1);
        assertThat(stolen.err()).contains("line 3: the passkey is already stored for another user");

        List<String> otherHandle = new ArrayList<>(lines);
        otherHandle.set(1, lines.get(1).replaceFirst("\"user\":\"[^\"]*\"", "\"user\":\"mallory\""));
        assertThat(run(target, "import", write(otherHandle)).err())
                .contains("line 2: the user handle belongs to another user");

        List<String> otherPerson = new ArrayList<>(lines);
        otherPerson.set(1, lines.get(1).replaceFirst("\"handle\":\"[^\"]*\"", "\"handle\":\"bWFsbG9yeQ\""));
        assertThat(run(target, "import", write(otherPerson)).err())
                .contains("line 2: a user with this id and another user handle exists");

        List<String> otherKey = new ArrayList<>(lines);
        otherKey.set(
                2,
                lines.get(2)
                        .replaceFirst(
                                "\"publicKey\":\\{[^}]*\\}",
                                new JsonObject()
                                        .put(
                                                "publicKey",
                                                JsonObject.parse(exported().get(2))
                                                        .object("publicKey"))
                                        .toString()
                                        .replaceAll("^\\{|\\}$", "")));
        assertThat(run(target, "import", write(otherKey)).err())
                .contains("line 3: the passkey is already stored with another key");
        try (Service service = Service.at(target)) {
            assertThat(rows(service, "SELECT user_id FROM passkey_user", 1))
                    .hasSize(1)
                    .doesNotContain(List.of("mallory"));
        }
    }

    @Test
    void an_import_warns_about_passkeys_of_refused_origins() throws Exception {
        CliRun imported = CliRun.of(
                Map.of(
                        "DATABASE_URL",
                        TestDatabase.SQLITE.freshUrl(),
                        "DATA_DIR",
                        directory.resolve("d").toString()),
                "import",
                write(exported()));

        assertThat(imported.status()).isZero();
        assertThat(imported.err())
                .contains("Passkeys of origins that are neither RP_ORIGIN nor in RP_RELATED_ORIGINS: 1.");
    }

    private void refused(List<String> lines, int at, UnaryOperator<String> change, String complaint)
            throws IOException {
        List<String> changed = new ArrayList<>(lines);
        changed.set(at, change.apply(changed.get(at)));
        String target = TestDatabase.SQLITE.freshUrl();

        CliRun run = run(target, "import", write(changed));

        assertThat(run.status()).as(complaint).isEqualTo(1);
        assertThat(run.err()).contains(complaint);
        assertThat(run(target, "export", "-").out()).contains("\"users\":0,\"passkeys\":0");
    }

    private List<String> exported() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            service.newUser().enroll();
            return run(service.databaseUrl(), "export", "-").out().lines().toList();
        }
    }

    private String write(List<String> lines) throws IOException {
        Path file = Files.createTempFile(directory, "lines", ".jsonl");
        return Files.writeString(file, String.join("\n", lines) + "\n").toString();
    }

    private void rename(Person person) {
        person.byToken()
                .patch(Person.CREDENTIALS + "/" + person.credentialId(), "{\"name\":\"my phone\"}")
                .expect(200);
    }

    private CliRun run(String databaseUrl, String... arguments) {
        return CliRun.of(
                Map.of(
                        "DATABASE_URL",
                        databaseUrl,
                        "DATA_DIR",
                        directory.resolve("data").toString(),
                        "SESSION_SECRET",
                        Service.SECRET,
                        "RP_ORIGIN",
                        "http://localhost"),
                arguments);
    }

    private static List<List<String>> rows(Service service, String query, int columns) {
        return service.withSql(sql -> sql.query(query, row -> {
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                values.add(String.valueOf(row.getString(i)));
            }
            return values;
        }));
    }
}
