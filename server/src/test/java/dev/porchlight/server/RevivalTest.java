// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.server.operator.transfer.EndedEntries;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserAccess;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.wiring.DirectoryModule;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An import does not bring back what ended here. */
class RevivalTest {
    private static final String NEXT = "the next session secret, which is long enough";
    private static final String REMOVED =
            "line \\d+: the passkey was removed here on \\d{4}-\\d\\d-\\d\\d, not imported";
    private static final String ERASED = "line \\d+: the user was erased here on \\d{4}-\\d\\d-\\d\\d, not imported";

    @TempDir
    Path directory;

    private String url;

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_repeated_import_revives_nothing_without_the_option(TestDatabase database) {
        try (Service service = on(database)) {
            Person owner = service.newUser().enroll();
            List<Person> thieves = List.of(added(owner), added(owner), added(owner));
            Person erased = service.newUser().enroll();
            String file = export();
            thieves.get(0).remove(owner.byToken()).expect(200);
            service.admin()
                    .delete(path(owner) + "/passkeys/" + thieves.get(1).credentialId())
                    .expect(204);
            assertThat(run(
                                    "passkeys",
                                    "remove",
                                    "--",
                                    owner.userId(),
                                    thieves.get(2).credentialId())
                            .status())
                    .isZero();
            service.admin().delete(path(erased)).expect(204);

            CliRun repeated = run("import", file);

            assertThat(repeated.status()).as(repeated.err()).isZero();
            assertThat(repeated.out()).isEqualTo("imported 0 passkeys and 0 users; 1 passkey already existed\n");
            assertThat(repeated.err().lines().filter(line -> line.matches(REMOVED)))
                    .hasSize(3);
            assertThat(repeated.err().lines().filter(line -> line.matches(ERASED)))
                    .hasSize(2);
            thieves.forEach(thief -> thief.loginRegardless().expect(401));
            erased.loginRegardless().expect(401);
            assertThat(service.rows("passkey_user")).noneMatch(row -> row.contains(erased.userId()));
            owner.login().expect(200);

            CliRun revived = run("import", "--revive", file);

            assertThat(revived.out()).isEqualTo("imported 4 passkeys and 1 user; 1 passkey already existed\n");
            assertThat(revived.err()).contains("Revived");
            assertThat(service.rows("porchlight_audit")).anyMatch(row -> row.contains("passkeys_revived"));
            thieves.forEach(thief -> thief.login().expect(200));
            erased.login().expect(200);
            assertThat(run("import", file))
                    .isEqualTo(new CliRun(0, "imported 0 passkeys and 0 users; 5 passkeys already existed\n", ""));
            service.admin()
                    .delete(path(owner) + "/passkeys/" + thieves.get(1).credentialId())
                    .expect(204);
            assertThat(run("import", file).err()).containsPattern(REMOVED);
        }
    }

    @Test
    void a_passkey_without_its_user_is_not_imported_for_an_erased_user_in_any_spelling() throws Exception {
        try (Service service = on(TestDatabase.SQLITE)) {
            service.person("Erased", SoftAuthenticator.securityKey()).enroll();
            List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(export())));
            lines.removeIf(line -> line.startsWith("{\"user\""));
            String bare = String.join("\n", lines).replace("\"users\":1", "\"users\":0") + '\n';
            service.admin().delete("/admin/users/Erased").expect(204);
            Path own = Files.writeString(directory.resolve("own.jsonl"), bare);
            Path other = Files.writeString(directory.resolve("other.jsonl"), bare.replace("Erased", "eRASED"));

            for (Path file : List.of(own, other)) {
                CliRun imported = run("import", file.toString());
                assertThat(imported.out()).startsWith("imported 0 passkeys and 0 users");
                assertThat(imported.err()).containsPattern(ERASED);
            }
            assertThat(service.rows("passkey_user")).isEmpty();
        }
    }

    @Test
    void a_locked_user_stays_locked() {
        try (Service service = on(TestDatabase.SQLITE)) {
            Person person = service.newUser().enroll();
            Person thief = added(person);
            String file = export();
            thief.remove(person.byToken()).expect(200);
            service.admin().post(path(person) + "/lock").expect(204);

            run("import", "--revive", file);

            person.loginRegardless().expect(401);
            thief.loginRegardless().expect(401);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_revived_passkey_brings_no_token_or_session_back(TestDatabase database) {
        try (Service service = on(database)) {
            Person owner = service.newUser().enroll();
            Person thief = added(owner);
            List<Web> stolen = List.of(thief.byToken(), thief.bySession());
            stolen.forEach(access -> access.get("/auth/session").expect(200));
            String file = export();
            thief.remove(owner.byToken()).expect(200);

            assertThat(run("import", "--revive", file).out()).startsWith("imported 1 passkey");

            stolen.forEach(access -> access.get("/auth/session").expect(401));
            thief.byToken().get("/auth/session").expect(200);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_revived_user_stays_locked_and_brings_no_token_or_session_back(TestDatabase database) {
        try (Service service = on(database)) {
            Person erased = service.newUser().enroll();
            String file = export();
            Web oldest = erased.byToken();
            service.admin().post(path(erased) + "/sign-out").expect(204);
            List<Web> stolen = List.of(oldest, erased.byToken(), erased.bySession());
            service.admin().delete(path(erased)).expect(204);
            run("import", "--revive", file);
            stolen.forEach(access -> access.get("/auth/session").expect(401));
            Web after = erased.byToken();
            service.admin().post(path(erased) + "/lock").expect(204);
            service.admin().delete(path(erased)).expect(204);

            run("import", "--revive", file);

            erased.loginRegardless().expect(401);
            assertThat(service.admin().get(path(erased)).json().flag("locked")).isTrue();
            service.admin().post(path(erased) + "/unlock").expect(204);
            after.get("/auth/session").expect(401);
            stolen.forEach(access -> access.get("/auth/session").expect(401));
            erased.byToken().get("/auth/session").expect(200);
        }
    }

    @Test
    void every_spelling_of_a_revived_name_stays_locked_and_brings_no_token_back() throws Exception {
        SoftAuthenticator first = SoftAuthenticator.securityKey();
        SoftAuthenticator second = SoftAuthenticator.securityKey();
        Path file = exportOfTwins(first, second);
        try (Service service = on(TestDatabase.SQLITE)) {
            assertThat(run("import", file.toString()).out()).startsWith("imported 2 passkeys and 2 users");
            SoftBrowser browser = new SoftBrowser("http://localhost", second).picks("Other");
            List<Person> twins = List.of(
                    service.person("Twin", first),
                    service.person("tWIN", second).responding(options -> browser.get(options.body())));
            List<Web> stolen = new ArrayList<>();
            for (Person twin : twins) {
                for (int i = 0; i < 4; i++) {
                    stolen.add(twin.byToken());
                    service.admin().post(path(twin) + "/sign-out").expect(204);
                }
            }
            twins.forEach(twin -> {
                service.admin().post(path(twin) + "/lock").expect(204);
                service.admin().delete(path(twin)).expect(204);
            });

            assertThat(run("import", "--revive", file.toString()).out()).startsWith("imported 2 passkeys and 2 users");

            for (Person twin : twins) {
                assertThat(locked(service, twin.userId())).as(twin.userId()).isTrue();
                service.admin().post(path(twin) + "/unlock").expect(204);
            }
            stolen.forEach(access -> access.get("/auth/session").expect(401));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_second_spelling_of_a_revived_name_stays_erased_and_locked_in_a_later_import(TestDatabase database)
            throws Exception {
        SoftAuthenticator second = SoftAuthenticator.securityKey();
        Path both = exportOfTwins(SoftAuthenticator.securityKey(), second);
        Path first = directory.resolve("first.jsonl");
        List<String> lines = new ArrayList<>(Files.readAllLines(both));
        lines.removeIf(line -> line.contains("tWIN"));
        Files.writeString(
                first,
                String.join("\n", lines).replace("\"users\":2,\"passkeys\":2", "\"users\":1,\"passkeys\":1") + '\n');
        try (Service service = on(database)) {
            run("import", both.toString());
            SoftBrowser browser = new SoftBrowser("http://localhost", second).picks("Other");
            Person twin = service.person("tWIN", second).responding(options -> browser.get(options.body()));
            List<Web> stolen = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                stolen.add(twin.byToken());
                service.admin().post(path(twin) + "/sign-out").expect(204);
            }
            service.admin().post(path(twin) + "/lock").expect(204);
            for (String name : List.of("Twin", "tWIN")) {
                service.admin().delete("/admin/users/" + name).expect(204);
            }

            assertThat(run("import", "--revive", first.toString()).out()).startsWith("imported 1 passkey and 1 user");
            CliRun repeated = run("import", both.toString());

            assertThat(repeated.out()).startsWith("imported 0 passkeys and 0 users");
            assertThat(repeated.err()).containsPattern(ERASED);
            assertThat(locked(service, "Twin")).isFalse();

            assertThat(run("import", "--revive", both.toString()).out()).startsWith("imported 1 passkey and 1 user");

            assertThat(locked(service, "tWIN")).isTrue();
            assertThat(locked(service, "Twin")).isFalse();
            service.admin().post(path(twin) + "/unlock").expect(204);
            stolen.forEach(access -> access.get("/auth/session").expect(401));
            twin.byToken().get("/auth/session").expect(200);
        }
    }

    @Test
    void a_spelling_that_no_user_had_is_locked_with_the_name_in_the_same_import_and_in_a_later_one() throws Exception {
        Path both = exportOfTwins(SoftAuthenticator.securityKey(), SoftAuthenticator.securityKey());
        Path later = directory.resolve("later.jsonl");
        try (Service other = on(TestDatabase.SQLITE)) {
            other.person("Later", SoftAuthenticator.securityKey()).enroll();
            Files.writeString(later, Files.readString(Path.of(export())).replace("Later", "TWin"));
        }
        try (Service service = on(TestDatabase.SQLITE)) {
            service.person("TWIN", SoftAuthenticator.securityKey()).enroll();
            service.admin().post("/admin/users/TWIN/lock").expect(204);
            service.admin().delete("/admin/users/TWIN").expect(204);

            run("import", "--revive", both.toString());
            run("import", later.toString());

            for (String name : List.of("Twin", "tWIN", "TWin")) {
                assertThat(locked(service, name)).as(name).isTrue();
            }
        }
    }

    private static boolean locked(Service service, String userId) {
        return service.admin().get("/admin/users/" + userId).json().flag("locked");
    }

    private Path exportOfTwins(SoftAuthenticator first, SoftAuthenticator second) throws IOException {
        try (Service service = on(TestDatabase.SQLITE)) {
            service.person("Twin", first).enroll();
            service.person("Other", second).enroll();
            Path file = Path.of(export());
            return Files.writeString(file, Files.readString(file).replace("Other", "tWIN"));
        }
    }

    @ParameterizedTest
    @CsvSource({"Twin, tWIN", "tWIN, Twin"})
    void of_two_spellings_one_can_be_invited_after_the_other_was_erased(String erased, String other) throws Exception {
        Path file = exportOfTwins(SoftAuthenticator.securityKey(), SoftAuthenticator.securityKey());
        try (Service service = on(TestDatabase.SQLITE)) {
            run("import", file.toString());
            service.admin().delete("/admin/users/" + erased).expect(204);

            String token = service.admin()
                    .post("/admin/enrollments", "{\"userId\":\"" + other + "\"}")
                    .expect(201)
                    .json()
                    .string("token");
            service.newUser().register(token).expect(201);
            assertThat(service.admin().get("/admin/users/" + other).json().objects("passkeys"))
                    .hasSize(2);
            for (String name : List.of(erased, "TWIN")) {
                service.admin()
                        .post("/admin/enrollments", "{\"userId\":\"" + name + "\"}")
                        .expect(409);
                service.person(name, SoftAuthenticator.securityKey()).signUp().expect(409);
            }
        }
    }

    @Test
    void an_import_takes_the_names_of_its_users_in_its_transaction() throws Exception {
        try (Service service = on(TestDatabase.SQLITE);
                Parts parts = new Parts()) {
            service.person("Revived", SoftAuthenticator.securityKey()).enroll();
            StorageModule storage = storage(parts);
            List<CredentialRecord> passkeys = new ArrayList<>();
            new PasskeyExport(storage.database().dataSource()).read(user -> {}, passkeys::add);
            service.admin().delete("/admin/users/Revived").expect(204);
            assertThat(service.rows("porchlight_name")).isEmpty();
            EndedEntries ended = new EndedEntries(
                    storage.names(),
                    storage.erasedUsers(),
                    storage.removedPasskeys(),
                    EndedEntries.Mode.REVIVE,
                    Clock.systemUTC(),
                    warning -> {});

            try (PasskeyImport target =
                    PasskeyImport.into(storage.database().dataSource(), List.of(CredentialAlgorithm.ES256), ended)) {
                target.add(passkeys.get(0), "line 1");
                target.finish();
            }

            assertThat(storage.names().isTaken(storage.sql(), "rEVIVED")).isTrue();
            assertThat(service.rows("porchlight_name"))
                    .singleElement()
                    .asString()
                    .contains("Revived");
        }
    }

    @Test
    void with_a_lost_secret_an_import_revives_what_it_does_not_recognize_only_with_the_option() {
        String file;
        Person person;
        try (Service service = on(TestDatabase.SQLITE)) {
            person = service.newUser().enroll();
            file = export();
            service.admin().delete(path(person)).expect(204);
        }
        Map<String, String> lost = Map.of("SESSION_SECRET", NEXT);

        CliRun refused = run(lost, "import", file);
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("SESSION_SECRET_PREVIOUS").contains("if it is lost, use --revive");

        CliRun revived = run(lost, "import", "--revive", file);
        assertThat(revived.status()).as(revived.err()).isZero();
        assertThat(revived.out()).startsWith("imported 1 passkey and 1 user");
        assertThat(revived.err()).contains("are not recognized, and are imported");
        try (Service service = Service.at(url)) {
            assertThat(service.rows("porchlight_audit")).anyMatch(row -> row.contains("passkeys_revived"));
            person.at(service.web()).login().expect(200);
        }
    }

    @Test
    void removed_passkeys_are_recognized_after_a_rotation_and_with_another_secret_nothing_is_imported() {
        String file;
        try (Service service = on(TestDatabase.SQLITE)) {
            Person person = service.newUser().enroll();
            file = export();
            person.byToken()
                    .delete(Person.CREDENTIALS + '/' + person.credentialId() + "?force=true")
                    .expect(200);
        }

        CliRun other = run(Map.of("SESSION_SECRET", NEXT), "import", file);
        assertThat(other.status()).isEqualTo(1);
        assertThat(other.err()).contains("SESSION_SECRET is not the secret of this database");
        CliRun rotated = run(Map.of("SESSION_SECRET", NEXT, "SESSION_SECRET_PREVIOUS", Service.SECRET), "import", file);
        assertThat(rotated.status()).as(rotated.err()).isZero();
        assertThat(rotated.err()).containsPattern(REMOVED);
    }

    @Test
    void an_imported_passkey_is_announced_to_its_owner() {
        try (Service service = on(TestDatabase.SQLITE)) {
            Person owner = service.newUser().enroll();
            Person thief = added(owner);
            String file = export();
            thief.remove(owner.byToken()).expect(200);
            run("import", "--revive", file);
            service.clock().advance(Duration.ofMinutes(10));

            assertThat(announced(owner.bySession()))
                    .singleElement()
                    .satisfies(passkey ->
                            assertThat(passkey.string("credentialId")).isEqualTo(thief.credentialId()))
                    .satisfies(passkey -> assertThat((Long) passkey.get("importedAt"))
                            .isGreaterThan((Long) passkey.get("createdAt")));
            service.clock().advance(Duration.ofMinutes(10));
            assertThat(announced(owner.bySession())).isEmpty();
        }
    }

    @Test
    void passkeys_that_moved_together_are_not_announced() {
        String file;
        Person owner;
        try (Service service = on(TestDatabase.SQLITE)) {
            owner = service.newUser().enroll();
            added(owner);
            owner.login().expect(200);
            file = export();
        }
        try (Service service = on(TestDatabase.SQLITE)) {
            run("import", file);
            service.clock().advance(Duration.ofMinutes(10));
            Person moved = owner.at(service.web());
            assertThat(announced(moved.bySession())).isEmpty();
            assertThat(announced(moved.bySession())).isEmpty();
        }
    }

    @Test
    void an_import_that_runs_beside_a_removal_does_not_bring_the_passkey_back() throws Exception {
        try (Service service = on(TestDatabase.POSTGRES);
                Parts parts = new Parts()) {
            Person owner = service.newUser().enroll();
            Person thief = added(owner);
            String file = export();
            StorageModule storage = storage(parts);

            beside(storage, "remove a passkey", () -> run("import", file), connection -> {
                SqlCredentialStore.lock(connection, owner.userId());
                SqlCredentialStore.remove(connection, owner.userId(), thief.credentialId(), false);
                storage.removedPasskeys().add(connection, thief.credentialId(), 1);
            });

            thief.loginRegardless().expect(401);
            assertThat(run("import", file).err()).containsPattern(REMOVED);
        }
    }

    @Test
    void an_import_that_runs_beside_an_erasure_waits_and_imports_nothing_of_the_user() throws Exception {
        try (Service service = on(TestDatabase.POSTGRES);
                Parts parts = new Parts()) {
            Person erased = service.newUser().enroll();
            String userId = erased.userId();
            String file = export();
            StorageModule storage = storage(parts);

            CliRun imported = beside(storage, "erase a user", () -> run("import", file), connection -> {
                SqlCredentialStore.lock(connection, userId);
                UserDirectory.delete(connection, userId);
                storage.erasedUsers().add(connection, userId, new UserAccess(false, 0), 1);
            });

            assertThat(imported.err()).containsPattern(ERASED);
            erased.loginRegardless().expect(401);
            assertThat(service.rows("passkey_user")).isEmpty();
            assertThat(service.rows("passkey_credential")).isEmpty();
        }
    }

    @Test
    void an_erasure_that_runs_beside_an_import_waits_and_erases_what_was_imported() throws Exception {
        try (Service service = on(TestDatabase.POSTGRES);
                Parts parts = new Parts()) {
            Person person = service.newUser().enroll();
            added(person);
            StorageModule storage = storage(parts);
            List<CredentialRecord> passkeys = new ArrayList<>();
            new PasskeyExport(storage.database().dataSource()).read(user -> {}, passkeys::add);
            // A user of the library, without a row.
            storage.sql().update("DELETE FROM passkey_user");
            String imported = passkeys.get(0).credentialId();
            storage.sql().update("DELETE FROM passkey_credential WHERE credential_id = ?", imported);
            Units units = storage.units();
            parts.add(units::close);
            UserAdministration users =
                    new DirectoryModule(storage, units, (connection, userId, group) -> false, userId -> {}).users();
            Sql other = storage.database().sql();
            List<CompletableFuture<?>> erasure = new ArrayList<>();
            EndedEntries ended = new EndedEntries(
                    storage.names(),
                    storage.erasedUsers(),
                    storage.removedPasskeys(),
                    EndedEntries.Mode.REFUSE,
                    () -> {
                        erasure.add(CompletableFuture.supplyAsync(
                                () -> users.erase(person.userId(), Operator.commandLine())));
                        await().until(() -> erasure.get(0).isDone() || TestDatabase.isWaiting(other));
                        return Clock.systemUTC().instant();
                    },
                    warning -> {});

            try (PasskeyImport target =
                    PasskeyImport.into(storage.database().dataSource(), List.of(CredentialAlgorithm.ES256), ended)) {
                target.add(passkeys.get(0), "line 1");
                assertThat(target.finish().passkeys()).isEqualTo(1);
            }
            erasure.get(0).join();

            assertThat(service.rows("passkey_credential")).isEmpty();
            assertThat(service.rows("passkey_user")).isEmpty();
        }
    }

    /** Runs an action while a transaction is open, until the action waits for it or is done, and returns its result. */
    private static <T> T beside(StorageModule storage, String what, Supplier<T> action, Change change) {
        Sql other = storage.database().sql();
        CompletableFuture<T> running = storage.sql().transaction(what, connection -> {
            change.write(connection);
            CompletableFuture<T> started = CompletableFuture.supplyAsync(action);
            await().until(() -> started.isDone() || TestDatabase.isWaiting(other));
            return started;
        });
        return running.join();
    }

    @FunctionalInterface
    private interface Change {
        void write(Connection connection) throws SQLException;
    }

    private Service on(TestDatabase database) {
        url = database.freshUrl();
        return Service.at(url);
    }

    private StorageModule storage(Parts parts) throws Exception {
        Map<String, String> environment = environment();
        environment.put("DATABASE_CONNECTIONS", "4");
        return new StorageModule(
                parts,
                Config.read(Patience.variables(environment)),
                10,
                Clock.systemUTC(),
                Database.START_TIMEOUT,
                statement -> () -> {});
    }

    /** Another passkey of this user, on another authenticator. */
    private static Person added(Person owner) {
        Person person = new Person(owner.web(), "http://localhost", owner.userId(), SoftAuthenticator.securityKey());
        person.register(owner.byToken()).expect(201);
        return person;
    }

    private static List<JsonObject> announced(Web user) {
        return user.get(Person.CREDENTIALS).expect(200).json().objects("passkeys").stream()
                .filter(passkey -> passkey.flag("newSinceLastLogin"))
                .toList();
    }

    private static String path(Person person) {
        return "/admin/users/" + person.userId().replace(" ", "%20");
    }

    private String export() {
        String file =
                directory.resolve("passkeys-" + System.nanoTime() + ".jsonl").toString();
        assertThat(run("export", file).status()).isZero();
        return file;
    }

    private CliRun run(String... arguments) {
        return run(Map.of(), arguments);
    }

    private CliRun run(Map<String, String> changes, String... arguments) {
        Map<String, String> environment = environment();
        environment.putAll(changes);
        return CliRun.of(environment, arguments);
    }

    private Map<String, String> environment() {
        return new HashMap<>(Map.of(
                "DATABASE_URL",
                url,
                "DATA_DIR",
                directory.resolve("data").toString(),
                "SESSION_SECRET",
                Service.SECRET,
                "RP_ORIGIN",
                "http://localhost"));
    }
}
