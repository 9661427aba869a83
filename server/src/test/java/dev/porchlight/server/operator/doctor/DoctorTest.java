// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.TestRedis;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.RedisServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plants problems of the configuration and the machine one by one; each must be reported with a fix. */
@Tag("slow")
class DoctorTest {
    private static final String SECRET = UUID.randomUUID().toString();

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void configure() {
        directory = directory.resolve("data"); // which the service creates
        environment.put("DATA_DIR", directory.toString());
        environment.put("PORT", "0");
    }

    @Test
    void no_problem_is_found_before_the_first_start_and_no_file_is_created() {
        assertThat(problems()).isEmpty();
        assertThat(directory).doesNotExist();
    }

    @Test
    void missing_and_unusable_texts_are_named() throws Exception {
        Path texts = Files.createDirectory(directory.resolveSibling("texts"));
        environment.put("TEXTS_DIR", texts.toString());
        assertThat(problems()).isEmpty();

        Files.writeString(texts.resolve("nl.json"), "{\"signin.title\":\"Inloggen bij {naam}\"}");
        assertProblem("TEXTS_DIR has nl.json: signin.title has no value for {naam}", "correct that file");
        assertProblem("TEXTS_DIR has nl.json: no text, so English is used, for account.add", "correct that file");

        Files.writeString(texts.resolve("nl.json"), "[]");
        assertProblem("nl.json must be a JSON object of texts", "");
    }

    @Test
    void no_problem_is_found_on_a_service_that_has_run() throws Exception {
        startOnce();

        assertThat(problems()).isEmpty();
        assertThat(examine())
                .extracting(Diagnosis::what)
                .contains(
                        "the tables are compatible with this release",
                        "the database is writable",
                        "the signing keys open: 2")
                .anyMatch(what -> what.endsWith(SignatureProvider.choose().algorithms()));
    }

    @Test
    void a_port_that_the_service_itself_uses_is_no_problem() throws Exception {
        try (App app = start()) {
            environment.put("PORT", Integer.toString(app.port()));

            assertThat(problems()).isEmpty();
            assertThat(examine()).extracting(Diagnosis::what).contains("the service is running on PORT " + app.port());
        }
    }

    @Test
    void a_redis_that_evicts_or_is_unreachable_is_reported() throws Exception {
        try (RedisServer redis = TestRedis.start()) {
            environment.put("REDIS_URL", redis.url());
            assertThat(problems()).isEmpty();
            assertThat(examine()).extracting(Diagnosis::what).contains("Redis evicts no entries");

            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThat(problems()).singleElement().satisfies(result -> {
                assertThat(result.what()).contains("allkeys-lru");
                assertThat(result.fix()).contains("CONFIG SET maxmemory-policy noeviction");
            });
        }
        assertThat(problems())
                .singleElement()
                .satisfies(result -> assertThat(result.what()).contains("is not writable"));
    }

    @Test
    void all_configuration_errors_are_reported_together() {
        environment.put("RP_ID", "example.org");
        environment.put("RP_ORIGIN", "https://login.example.com");
        environment.put("SESSION_SECRET", "short");
        environment.put("TOKEN_TTL_SECONDS", "soon");
        environment.put("DATABASE_URL", "mysql://db");
        environment.put("TRUSTED_PROXIES", "the proxy");
        environment.put("TLS_CERTIFICATE", "/no/such.pem");

        assertThat(problems()).hasSize(7);
        assertProblem("RP_ID does not match RP_ORIGIN", "export RP_ID=login.example.com");
        assertProblem("SESSION_SECRET is too short", "export SESSION_SECRET=$(openssl rand -hex 32)");
        assertProblem("TOKEN_TTL_SECONDS is \"soon\"", "unset TOKEN_TTL_SECONDS   # default: 900");
        assertProblem("DATABASE_URL is invalid", "export DATABASE_URL=postgres://");
        assertProblem("TRUSTED_PROXIES is invalid", "export TRUSTED_PROXIES=127.0.0.1");
        assertProblem("TLS_CERTIFICATE is invalid", "export TLS_CERTIFICATE=fullchain.pem");
        assertProblem("TLS_KEY is missing", "export TLS_KEY=privkey.pem");
    }

    @Test
    void an_http_origin_that_is_not_localhost_is_reported() {
        environment.put("RP_ID", "example.com");
        environment.put("RP_ORIGIN", "http://example.com");
        environment.put("SESSION_SECRET", SECRET);

        assertProblem("must be https", "export RP_ORIGIN=https://example.com");
    }

    @Test
    void an_https_origin_behind_an_untrusted_proxy_is_reported() {
        environment.put("RP_ID", "example.com");
        environment.put("RP_ORIGIN", "https://example.com");
        environment.put("SESSION_SECRET", SECRET);

        assertProblem("TRUSTED_PROXIES is empty", "export TRUSTED_PROXIES=127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "127.0.0.1,192.168.0.0/16", "0.0.0.0/0", "2001:db8::/64"})
    void a_wide_range_of_trusted_proxies_is_reported(String wide) {
        environment.put("TRUSTED_PROXIES", wide);

        assertProblem("TRUSTED_PROXIES has a wide range", "export TRUSTED_PROXIES=127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.10,10.0.0.11", "10.0.0.16/28", "169.254.0.0/16", "127.0.0.0/8", "::1"})
    void single_proxies_are_no_problem(String narrow) {
        environment.put("TRUSTED_PROXIES", narrow);

        assertThat(problems()).noneMatch(result -> result.what().contains("TRUSTED_PROXIES"));
    }

    @Test
    void a_data_directory_that_is_a_file_is_reported() throws Exception {
        Path file = Files.createFile(directory);
        environment.put("DATA_DIR", file.toString());

        assertProblem("is not a directory", "export DATA_DIR=" + file + "-data");
    }

    @Test
    void a_file_on_the_path_of_the_data_directory_is_reported() throws Exception {
        Path file = Files.createFile(directory);
        environment.put("DATA_DIR", file.resolve("sub").toString());

        assertProblem("(" + file + " is a file)", "export DATA_DIR=" + file + "-data");
    }

    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "file permissions are those of POSIX")
    void a_directory_and_a_secret_that_others_can_read_are_reported() throws Exception {
        startOnce();
        assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        Path secret = directory.resolve("session-secret");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw----r--"));

        assertProblem(directory + " is accessible to other users", "chmod 700 " + directory);
        assertProblem(secret + " is accessible to other users", "chmod 600 " + secret);
    }

    @Test
    void a_database_file_without_a_directory_is_reported() {
        environment.put("DATABASE_URL", "jdbc:sqlite:" + directory + "/missing/porchlight.db");

        assertProblem("does not exist", "mkdir -p " + directory + "/missing");
    }

    @Test
    void an_unreachable_database_is_reported() throws Exception {
        try (ServerSocket closed = new ServerSocket(0)) {
            environment.put("DATABASE_URL", "postgres://porch:hush@localhost:" + closed.getLocalPort() + "/porchlight");
        }

        assertProblem("cannot be reached", "export DATABASE_URL=postgres://");
        assertThat(problems()).noneMatch(result -> result.toString().contains("hush"));
    }

    @Test
    void tables_of_a_newer_release_are_reported() throws Exception {
        startOnce();
        execute("UPDATE passkey_schema SET version = 99, oldest = 99 WHERE part = 'server'");

        assertProblem("a newer release created the tables", "git checkout RELEASE");
    }

    @Test
    void a_read_only_database_is_reported() throws Exception {
        startOnce();
        execute("CREATE TRIGGER frozen BEFORE INSERT ON porchlight_probe BEGIN SELECT RAISE(ABORT, 'frozen'); END");

        assertProblem("is not writable", "chmod u+w " + directory.resolve("porchlight.db"));
    }

    @Test
    void signing_keys_sealed_under_another_secret_are_reported() throws Exception {
        startOnce();
        environment.put("SESSION_SECRET", SECRET);

        assertProblem("sealed under another SESSION_SECRET", "export SESSION_SECRET=PREVIOUS");
    }

    @Test
    void a_missing_secret_is_reported() throws Exception {
        startOnce();
        Files.delete(directory.resolve("session-secret"));

        assertProblem("is missing", "cp BACKUP/session-secret " + directory.resolve("session-secret"));
    }

    @Test
    void a_clock_that_is_an_hour_behind_is_reported() {
        InstantSource behind = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

        assertThat(new Doctor(environment, behind, Doctor.trustOfTheJdk(), Doctor.TIMEOUT).examine(null, null))
                .anyMatch(result -> result.what().startsWith("the clock differs from the file system of DATA_DIR by 3")
                        && result.fix().equals("timedatectl set-ntp true"));
    }

    @Test
    void clients_that_no_user_can_sign_in_to_are_reported() throws Exception {
        startOnce();
        execute(
                "INSERT INTO porchlight_client (client_id, name, settings, generation, created_at) VALUES ('wiki', 'Wiki',"
                        + " '{\"redirectUris\":[\"https://wiki.example/\"],\"groups\":[\"staff\"]}', 0, 0)");
        assertProblem(
                "no user can sign in to the application wiki: its groups have no members",
                "./porchlight groups add staff USER");

        execute("INSERT INTO porchlight_group_member (group_name, user_id) VALUES ('staff', 'ada')");
        assertThat(problems()).isEmpty();

        environment.put("LOGIN_RESULT", "token");
        assertProblem("OpenID Connect is off, because it needs sessions", "export LOGIN_RESULT=both");
    }

    @Test
    void a_port_in_use_is_reported_with_a_free_one() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            environment.put("MANAGEMENT_PORT", Integer.toString(taken.getLocalPort()));

            assertProblem("MANAGEMENT_PORT " + taken.getLocalPort(), "export MANAGEMENT_PORT=");
        }
    }

    private List<Diagnosis> examine() {
        return new Doctor(environment, InstantSource.system(), Doctor.trustOfTheJdk(), Duration.ofSeconds(1))
                .examine(null, null);
    }

    private List<Diagnosis> problems() {
        return examine().stream()
                .filter(result -> result.state() == Diagnosis.State.PROBLEM)
                .toList();
    }

    private void assertProblem(String what, String fix) {
        assertThat(problems()).anySatisfy(result -> {
            assertThat(result.what()).contains(what);
            assertThat(result.fix()).startsWith(fix);
        });
    }

    private void startOnce() throws Exception {
        try (App app = start()) {
            URI ready = URI.create(app.url() + "/health/ready"); // the first readiness check creates the first key
            HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.discarding());
        }
    }

    private App start() throws Exception {
        return App.start(
                Config.read(Patience.variables(environment)),
                LogWriter.to(OutputStream.nullOutputStream()),
                false,
                routes -> {});
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("porchlight.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
