// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.TestRedis;
import dev.porchlight.server.config.Config;
import dev.porchlight.testkit.redis.RedisServer;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Faults of the configuration and the machine, planted one by one, each to be named with what mends it. */
@Tag("slow")
class DoctorTest {
    private static final String SECRET = "a-secret-of-more-than-thirty-two-bytes";

    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void configure() {
        directory = directory.resolve("data"); // which the service makes
        environment.put("DATA_DIR", directory.toString());
        environment.put("PORT", "0");
    }

    @Test
    void finds_nothing_before_the_first_start_and_leaves_nothing_behind() {
        assertThat(wrong()).isEmpty();
        assertThat(directory).doesNotExist();
    }

    @Test
    void finds_nothing_on_a_service_that_has_run() throws Exception {
        run();

        assertThat(wrong()).isEmpty();
        assertThat(findings())
                .extracting(Finding::what)
                .contains(
                        "this release works with the tables", "the database takes writes", "the signing keys open: 1");
    }

    @Test
    void finds_nothing_wrong_with_the_port_while_the_service_itself_is_on_it() throws Exception {
        try (App app = start()) {
            environment.put("PORT", Integer.toString(app.port()));

            assertThat(wrong()).isEmpty();
            assertThat(findings()).extracting(Finding::what).contains("the service is running on PORT " + app.port());
        }
    }

    @Test
    void looks_at_redis_and_says_when_it_evicts_or_is_not_there() throws Exception {
        try (RedisServer redis = TestRedis.start()) {
            environment.put("REDIS_URL", redis.url());
            assertThat(wrong()).isEmpty();
            assertThat(findings())
                    .extracting(Finding::what)
                    .contains("Redis evicts nothing")
                    .anyMatch(what -> what.startsWith("Redis is version "));

            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThat(wrong()).singleElement().satisfies(finding -> {
                assertThat(finding.what()).contains("allkeys-lru");
                assertThat(finding.fix()).contains("CONFIG SET maxmemory-policy noeviction");
            });
        }
        assertThat(wrong())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("takes no writes"));
    }

    @Test
    void names_every_fault_of_the_configuration_at_once() {
        environment.put("RP_ID", "example.org");
        environment.put("RP_ORIGIN", "https://login.example.com");
        environment.put("SESSION_SECRET", "short");
        environment.put("TOKEN_TTL_SECONDS", "soon");
        environment.put("DATABASE_URL", "mysql://db");
        environment.put("TRUSTED_PROXIES", "the proxy");
        environment.put("TLS_CERTIFICATE", "/no/such.pem");

        assertThat(wrong()).hasSize(7);
        assertWrong("RP_ID does not fit RP_ORIGIN", "export RP_ID=login.example.com");
        assertWrong("SESSION_SECRET is too short", "export SESSION_SECRET=$(openssl rand -hex 32)");
        assertWrong("TOKEN_TTL_SECONDS is \"soon\"", "unset TOKEN_TTL_SECONDS   # it is then 900");
        assertWrong("DATABASE_URL is wrong", "export DATABASE_URL=postgres://");
        assertWrong("TRUSTED_PROXIES is wrong", "export TRUSTED_PROXIES=127.0.0.1");
        assertWrong("TLS_CERTIFICATE is wrong", "export TLS_CERTIFICATE=fullchain.pem");
        assertWrong("TLS_KEY is missing", "export TLS_KEY=privkey.pem");
    }

    @Test
    void names_an_http_origin_that_is_not_localhost() {
        environment.put("RP_ID", "example.com");
        environment.put("RP_ORIGIN", "http://example.com");
        environment.put("SESSION_SECRET", SECRET);

        assertWrong("must be https", "export RP_ORIGIN=https://example.com");
    }

    @Test
    void names_an_https_origin_behind_a_proxy_that_is_not_trusted() {
        environment.put("RP_ID", "example.com");
        environment.put("RP_ORIGIN", "https://example.com");
        environment.put("SESSION_SECRET", SECRET);

        assertWrong("TRUSTED_PROXIES is empty", "export TRUSTED_PROXIES=127.0.0.1");
    }

    @Test
    void names_a_data_directory_that_is_a_file() throws Exception {
        Path file = Files.createFile(directory);
        environment.put("DATA_DIR", file.toString());

        assertWrong("is not a directory", "export DATA_DIR=" + file + "-data");
    }

    @Test
    void names_a_file_on_the_path_of_the_data_directory() throws Exception {
        Path file = Files.createFile(directory);
        environment.put("DATA_DIR", file.resolve("sub").toString());

        assertWrong("(" + file + " is a file)", "export DATA_DIR=" + file + "-data");
    }

    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "file permissions are those of POSIX")
    void names_a_directory_and_a_secret_that_others_may_read() throws Exception {
        run();
        assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        Path secret = directory.resolve("session-secret");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw----r--"));

        assertWrong(directory + " is open to others", "chmod 700 " + directory);
        assertWrong(secret + " is open to others", "chmod 600 " + secret);
    }

    @Test
    void names_a_database_file_without_a_directory() {
        environment.put("DATABASE_URL", "jdbc:sqlite:" + directory + "/missing/porchlight.db");

        assertWrong("there is no directory", "mkdir -p " + directory + "/missing");
    }

    @Test
    void names_a_database_that_does_not_answer() throws Exception {
        try (ServerSocket closed = new ServerSocket(0)) {
            environment.put("DATABASE_URL", "postgres://porch:hush@localhost:" + closed.getLocalPort() + "/porchlight");
        }

        assertWrong("cannot be reached", "export DATABASE_URL=postgres://");
        assertThat(wrong()).noneMatch(finding -> finding.toString().contains("hush"));
    }

    @Test
    void names_tables_of_a_newer_release() throws Exception {
        run();
        execute("UPDATE passkey_schema SET version = 99 WHERE part IN ('server', 'server-oldest')");

        assertWrong("made by a newer release", "git checkout the release that made them");
    }

    @Test
    void names_a_database_that_takes_no_writes() throws Exception {
        run();
        execute("CREATE TRIGGER frozen BEFORE UPDATE ON passkey_schema BEGIN SELECT RAISE(ABORT, 'frozen'); END");

        assertWrong("takes no writes", "chmod u+w " + directory.resolve("porchlight.db"));
    }

    @Test
    void names_signing_keys_sealed_under_another_secret() throws Exception {
        run();
        environment.put("SESSION_SECRET", SECRET);

        assertWrong("sealed under another SESSION_SECRET", "export SESSION_SECRET=FORMER");
    }

    @Test
    void names_a_secret_that_is_gone() throws Exception {
        run();
        Files.delete(directory.resolve("session-secret"));

        assertWrong("is gone", "cp BACKUP/session-secret " + directory.resolve("session-secret"));
    }

    @Test
    void names_a_clock_that_is_an_hour_behind() {
        InstantSource behind = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

        assertThat(new Doctor(environment, behind, Trust.ofTheJdk(), Doctor.TIMEOUT).examine(null))
                .anyMatch(finding -> finding.what().startsWith("the clock is 3")
                        && finding.fix().equals("timedatectl set-ntp true"));
    }

    @Test
    void names_a_port_that_somebody_else_has_and_one_that_is_free() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            environment.put("MANAGEMENT_PORT", Integer.toString(taken.getLocalPort()));

            assertWrong("MANAGEMENT_PORT " + taken.getLocalPort(), "export MANAGEMENT_PORT=");
        }
    }

    private List<Finding> findings() {
        return new Doctor(environment, InstantSource.system(), Trust.ofTheJdk(), Duration.ofSeconds(1)).examine(null);
    }

    private List<Finding> wrong() {
        return findings().stream()
                .filter(finding -> finding.state() == Finding.State.WRONG)
                .toList();
    }

    private void assertWrong(String what, String fix) {
        assertThat(wrong()).anySatisfy(finding -> {
            assertThat(finding.what()).contains(what);
            assertThat(finding.fix()).startsWith(fix);
        });
    }

    private void run() throws Exception {
        try (App app = start()) {
            URI ready = URI.create(app.url() + "/health/ready"); // the first key is made when readiness is asked for
            HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.discarding());
        }
    }

    private App start() throws Exception {
        return App.start(Config.read(environment), LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {});
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("porchlight.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
