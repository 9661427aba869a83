// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.server.storage.SqliteFile;
import dev.porchlight.testkit.remote.Person;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backup of the embedded database while it is in use, and restore. */
class BackupTest {
    @TempDir
    Path directory;

    private Path data;
    private Path file;

    @Test
    void a_backup_under_load_contains_every_passkey_acknowledged_before_it_started() throws Exception {
        CopyOnWriteArrayList<Person> registered = new CopyOnWriteArrayList<>();
        List<Person> before;
        try (Service service = embedded()) {
            AtomicBoolean enough = new AtomicBoolean();
            CountDownLatch some = new CountDownLatch(8);
            List<Thread> load = Stream.generate(() -> new Thread(() -> {
                        while (!enough.get()) {
                            registered.add(service.newUser().enroll());
                            some.countDown();
                        }
                    }))
                    .limit(3)
                    .toList();
            load.forEach(Thread::start);
            some.await();

            before = List.copyOf(registered);
            CliRun backup = run("backup", file.toString());
            enough.set(true);
            for (Thread thread : load) {
                thread.join();
            }
            assertThat(backup.status()).as(backup.err()).isZero();
        }

        data = directory.resolve("elsewhere");
        CliRun restore = run("restore", file.toString());
        assertThat(restore.status()).as(restore.err()).isZero();
        assertThat(restore.err()).isEmpty();
        try (Service restored = embedded()) {
            assertThat(before).hasSizeGreaterThanOrEqualTo(8);
            for (Person person : before) {
                restored.person(person.userId(), person.browser().authenticator())
                        .login()
                        .expect(200);
            }
        }
    }

    @Test
    void sessions_survive_because_the_backup_contains_the_generated_secret() throws Exception {
        String cookie;
        try (Service service = embedded()) {
            cookie = Person.cookie(service.newUser().enroll().login().expect(200));
            assertThat(run("backup", file.toString()).status()).isZero();
        }

        data = directory.resolve("elsewhere");
        run("restore", file.toString());
        try (Service restored = embedded()) {
            restored.web().with("Cookie", cookie).get(Person.CREDENTIALS).expect(200);
        }
    }

    @Test
    void a_configured_secret_is_not_in_the_backup_and_a_different_one_is_detected() throws Exception {
        try (Service service = embedded("SESSION_SECRET", Service.SECRET)) {
            service.newUser().enroll();
        }

        CliRun backup = run(Map.of("SESSION_SECRET", Service.SECRET), "backup", file.toString());
        assertThat(backup.status()).isZero();
        assertThat(backup.err()).contains("SESSION_SECRET is not included");
        assertThat(entries(file)).containsOnlyKeys("backup.json", "porchlight.db");
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .doesNotContain(Service.SECRET);

        data = directory.resolve("elsewhere");
        assertThat(run(Map.of("SESSION_SECRET", Service.SECRET), "restore", file.toString())
                        .err())
                .isEmpty();
        CliRun other = run(
                Map.of("SESSION_SECRET", "another secret that is long enough"),
                "restore",
                "--replace",
                file.toString());
        assertThat(other.status()).isZero();
        assertThat(other.err()).contains("another SESSION_SECRET");
    }

    @Test
    void a_backup_is_owner_only_leaves_no_temporary_files_and_overwrites_nothing() throws Exception {
        embedded().close();

        assertThat(run("backup", file.toString()).status()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(files(directory)).containsExactlyInAnyOrder("data", "backup.zip");

        byte[] kept = Files.readAllBytes(file);
        CliRun again = run("backup", file.toString());
        assertThat(again).isEqualTo(new CliRun(1, "", "Error: " + file + " exists already: choose another path\n"));
        assertThat(file).hasBinaryContent(kept);
        assertThat(files(directory)).containsExactlyInAnyOrder("data", "backup.zip");
    }

    @Test
    void a_restore_is_refused_while_the_service_runs() throws Exception {
        try (Service service = embedded()) {
            Person person = service.newUser().enroll();
            run("backup", file.toString());

            CliRun restore = run("restore", "--replace", file.toString());

            assertThat(restore.status()).isEqualTo(1);
            assertThat(restore.err()).contains("is in use");
            person.login().expect(200);
        }
    }

    @Test
    void a_restore_keeps_existing_data() throws Exception {
        Person early;
        Person late;
        try (Service service = embedded()) {
            early = service.newUser().enroll();
            run("backup", file.toString());
            late = service.newUser().enroll();
        }

        CliRun refused = run("restore", file.toString());
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("exists already").contains("--replace");

        assertThat(run("restore", "--replace", file.toString()).status()).isZero();
        try (Service restored = embedded()) {
            restored.person(early.userId(), early.browser().authenticator())
                    .login()
                    .expect(200);
            restored.person(late.userId(), late.browser().authenticator())
                    .loginRegardless()
                    .expect(401);
        }
        String aside = files(data).stream()
                .filter(name -> name.startsWith("porchlight.db.replaced-"))
                .findFirst()
                .orElseThrow();
        try (Service before = Service.at("jdbc:sqlite:" + data.resolve(aside), "SESSION_SECRET", secret())) {
            before.person(late.userId(), late.browser().authenticator()).login().expect(200);
        }
    }

    @Test
    void a_restore_replaces_a_corrupt_database() throws Exception {
        Person person;
        try (Service service = embedded()) {
            person = service.newUser().enroll();
            run("backup", file.toString());
        }
        Files.writeString(data.resolve("porchlight.db"), "overwritten");
        Files.writeString(data.resolve("porchlight.db-wal"), "leftover");

        assertThat(run("restore", "--replace", file.toString()).status()).isZero();

        try (Service restored = embedded()) {
            restored.person(person.userId(), person.browser().authenticator())
                    .login()
                    .expect(200);
        }
    }

    @Test
    void used_challenges_and_tokens_stay_used_after_a_restore() throws Exception {
        Person person;
        String spent;
        try (Service service = embedded()) {
            person = service.newUser().enroll();
            spent = person.assertion();
            run("backup", file.toString());
            person.finishLogin(spent).expect(200);
        }

        run("restore", "--replace", file.toString());

        try (Service restored = embedded()) {
            restored.person(person.userId(), person.browser().authenticator())
                    .finishLogin(spent)
                    .expectProblem(401, "authentication_failed");
        }
    }

    @Test
    void a_file_possibly_in_use_is_not_touched() throws Exception {
        Path unusable = Files.createDirectory(directory.resolve("unusable.db"));

        assertThatThrownBy(() -> new SqliteFile(unusable).lock())
                .isInstanceOf(StorageException.class)
                .hasMessage("cannot determine whether the database is in use");
    }

    @Test
    void a_backup_creates_no_secret_if_the_services_secret_is_missing() throws Exception {
        embedded().close();
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));

        CliRun backup = run(
                Map.of(
                        "DATABASE_URL",
                        "jdbc:sqlite:" + data.resolve("porchlight.db"),
                        "DATA_DIR",
                        elsewhere.toString()),
                "backup",
                file.toString());

        assertThat(backup.status()).isEqualTo(1);
        assertThat(backup.err()).contains("the secret " + elsewhere);
        assertThat(files(elsewhere)).isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void an_invalid_backup_changes_nothing() throws Exception {
        Person person;
        try (Service service = embedded()) {
            person = service.newUser().enroll();
            run("backup", file.toString());
        }
        List<String> before = files(data);
        byte[] database = entries(file).get("porchlight.db");
        byte[] corrupted = database.clone();
        Arrays.fill(corrupted, 4_096, 12_288, (byte) 7);

        for (Path bad : List.of(
                truncated(),
                rewritten("porchlight.db", corrupted),
                rewritten("porchlight.db", new byte[0]),
                rewritten("backup.json", "{}".getBytes(StandardCharsets.UTF_8)),
                rewritten(
                        "backup.json",
                        new String(entries(file).get("backup.json"), StandardCharsets.UTF_8)
                                .replace("\"passkeys\":1", "\"passkeys\":2")
                                .getBytes(StandardCharsets.UTF_8)),
                Files.writeString(directory.resolve("note.txt"), "no zip"),
                directory.resolve("missing.zip"))) {
            CliRun restore = run("restore", "--replace", bad.toString());
            assertThat(restore.status()).as(bad + ": " + restore.out()).isEqualTo(1);
            assertThat(restore.err()).startsWith("Error: ");
        }

        assertThat(files(data)).isEqualTo(before);
        try (Service service = embedded()) {
            service.person(person.userId(), person.browser().authenticator())
                    .login()
                    .expect(200);
        }
    }

    @Test
    void backups_of_postgresql_and_of_a_missing_database_are_refused_with_advice() {
        Map<String, String> postgres = Map.of("DATABASE_URL", "postgres://user:secret@localhost/porchlight");
        for (String command : List.of("backup", "restore")) {
            CliRun run = run(postgres, command, file.toString());
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err()).contains("PostgreSQL").doesNotContain("secret@");
        }
        assertThat(run(postgres, "backup", file.toString()).err()).contains("pg_dump");
        assertThat(run("backup", file.toString()).err()).contains("does not exist");
        assertThat(file).doesNotExist();
    }

    @BeforeEach
    void places() {
        data = directory.resolve("data");
        file = directory.resolve("backup.zip");
    }

    /** A service whose data and generated secret are in the data directory. */
    private Service embedded(String... more) {
        List<String> variables =
                new ArrayList<>(List.of("DATA_DIR", data.toString(), "SESSION_SECRET", "", "RP_ID", "localhost"));
        variables.addAll(List.of(more));
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return Service.at("jdbc:sqlite:" + data.resolve("porchlight.db"), variables.toArray(String[]::new));
    }

    private CliRun run(String... arguments) {
        return run(Map.of(), arguments);
    }

    private CliRun run(Map<String, String> more, String... arguments) {
        Map<String, String> environment = new HashMap<>(Map.of("DATA_DIR", data.toString()));
        environment.putAll(more);
        return CliRun.of(environment, arguments);
    }

    private String secret() throws IOException {
        return Files.readString(data.resolve("session-secret")).strip();
    }

    private Path truncated() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Path bad = directory.resolve("truncated.zip");
        return Files.write(bad, Arrays.copyOf(whole, whole.length / 2), StandardOpenOption.CREATE);
    }

    private Path rewritten(String entry, byte[] content) throws IOException {
        Map<String, byte[]> entries = entries(file);
        entries.put(entry, content);
        Path bad = Files.createTempFile(directory, "rewritten", ".zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(bad))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(each.getKey()));
                zip.write(each.getValue());
            }
        }
        return bad;
    }

    private static Map<String, byte[]> entries(Path zipFile) throws IOException {
        Map<String, byte[]> entries = new HashMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(zipFile))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), zip.readAllBytes());
            }
        }
        return entries;
    }

    private static List<String> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.matches(".*-(shm|wal)")) // SQLite's own, until its last connection is closed
                    .sorted()
                    .toList();
        }
    }
}
