// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration that is wrong in many ways is refused once, with all of them. */
class BadConfigTest {
    private static final String SECRET = "a-secret-of-more-than-thirty-two-bytes";

    @TempDir
    Path directory;

    @Test
    void names_every_fault_at_once_with_what_would_be_right() throws Exception {
        Path torn = Files.writeString(directory.resolve("torn.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n");
        Map<String, String> bad = new HashMap<>();
        bad.put("PORT", "eighty");
        bad.put("RP_ID", "example.org");
        bad.put("RP_ORIGIN", "https://login.example.com");
        bad.put("RP_RELATED_ORIGINS", "http://other.example.com");
        bad.put("DATABASE_URL", "mysql://db/porchlight");
        bad.put("REDIS_URL", "memcached://cache");
        bad.put("SESSION_SECRET", "short");
        bad.put("ADMIN_TOKEN", "admin");
        bad.put("SIGNUP", "maybe");
        bad.put("LOGIN_RESULT", "cookie");
        bad.put("TOKEN_TTL_SECONDS", "0");
        bad.put("USER_VERIFICATION", "always");
        bad.put("TRUSTED_PROXIES", "10.0.0.0/99");
        bad.put("TLS_CERTIFICATE", "/no/such/file.pem");
        bad.put("TLS_KEY", torn.toString());
        bad.put("LOG_LEVEL", "loud");
        bad.put("OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318");

        assertFault(bad, "PORT", "is \"eighty\"", "a whole number from 0 to 65535");
        assertFault(bad, "RP_ID", "does not fit RP_ORIGIN", "neither the host of https://login.example.com nor");
        assertFault(bad, "RP_RELATED_ORIGINS", "has \"http://other.example.com\"", "must be https");
        assertFault(bad, "DATABASE_URL", "is wrong", "jdbc:postgresql://HOST/NAME");
        assertFault(bad, "REDIS_URL", "is wrong", "redis+sentinel://HOST,HOST/NAME");
        assertFault(bad, "SESSION_SECRET", "is too short", "openssl rand -hex 32");
        assertFault(bad, "ADMIN_TOKEN", "is too short", "16 characters");
        assertFault(bad, "SIGNUP", "is \"maybe\"", "open, closed");
        assertFault(bad, "LOGIN_RESULT", "is \"cookie\"", "token, session, both");
        assertFault(bad, "TOKEN_TTL_SECONDS", "is \"0\"", "from 1 to");
        assertFault(bad, "USER_VERIFICATION", "is \"always\"", "required, preferred, discouraged");
        assertFault(bad, "TRUSTED_PROXIES", "is wrong", "10.0.0.0/99");
        assertFault(bad, "TLS_CERTIFICATE", "is wrong", "there is no file /no/such/file.pem");
        assertFault(bad, "TLS_KEY", "is wrong", "openssl pkcs8 -topk8 -nocrypt");
        assertFault(bad, "LOG_LEVEL", "is \"loud\"", "trace, debug, info");
        assertFault(bad, "OTEL_EXPORTER_OTLP_ENDPOINT", "is \"localhost:4318\"", "http://localhost:4318");
        assertThat(faults(bad)).hasSize(16);
    }

    @Test
    void says_that_the_secret_is_missing_where_other_machines_reach_the_service() {
        assertFault(
                Map.of("RP_ID", "example.com", "RP_ORIGIN", "https://example.com"),
                "SESSION_SECRET",
                "is missing",
                "openssl rand -hex 32");
    }

    @Test
    void says_that_an_http_origin_is_for_localhost_only() {
        assertFault(
                Map.of("RP_ID", "example.com", "RP_ORIGIN", "http://example.com", "SESSION_SECRET", SECRET),
                "RP_ORIGIN",
                "is \"http://example.com\"",
                "must be https");
    }

    @Test
    void a_wrong_origin_is_one_fault_and_hides_no_other() {
        Map<String, String> bad = Map.of("RP_ID", "example.com", "RP_ORIGIN", "http://example.com");

        assertThat(faulty(bad)).containsExactlyInAnyOrder("RP_ORIGIN", "SESSION_SECRET");
        assertThat(faults(bad).toString()).doesNotContain("topOrigins", "http://localhost");
    }

    @Test
    void a_wrong_port_causes_no_other_fault() {
        assertThat(faulty(Map.of("PORT", "abc", "MANAGEMENT_PORT", "8080"))).containsExactly("PORT");
        assertThat(faulty(Map.of("PORT", "abc", "RP_ID", "example.com", "RP_ORIGIN", "http://example.com")))
                .containsExactlyInAnyOrder("PORT", "RP_ORIGIN", "SESSION_SECRET");
    }

    @Test
    void a_missing_origin_is_named_with_one_that_would_fit() {
        Map<String, String> bad = Map.of("RP_ID", "example.com", "SESSION_SECRET", SECRET);

        assertThat(faults(bad)).hasSize(1);
        assertFault(bad, "RP_ORIGIN", "is missing", "https://example.com");
    }

    @Test
    void a_missing_rp_id_is_named_with_one_that_would_fit() {
        Map<String, String> bad = Map.of("RP_ORIGIN", "https://login.example.com");

        assertThat(faulty(bad)).containsExactlyInAnyOrder("RP_ID", "SESSION_SECRET");
        assertFault(bad, "RP_ID", "does not fit RP_ORIGIN", "set it to login.example.com");
    }

    @Test
    void an_rp_id_that_is_no_domain_is_one_fault() {
        Map<String, String> bad =
                Map.of("RP_ID", "https://example.com", "RP_ORIGIN", "https://example.com", "SESSION_SECRET", SECRET);

        assertThat(faults(bad)).hasSize(1);
        assertFault(bad, "RP_ID", "is \"https://example.com\"", "without scheme and port");
    }

    @Test
    void a_name_is_not_called_by_its_internal_name() {
        assertThat(faults(Map.of("RP_NAME", "x".repeat(257))))
                .singleElement()
                .hasToString("RP_NAME is wrong: the name must have 1 to 256 characters");
    }

    @Test
    void a_host_that_does_not_resolve_is_named() {
        assertFault(
                Map.of("HOST", "no-such-host.invalid"), "HOST", "is \"no-such-host.invalid\"", "for example 127.0.0.1");
    }

    @Test
    void a_file_as_data_directory_is_named_where_the_directory_is_needed() throws Exception {
        String file = file("data", "");

        assertThat(faulty(Map.of("DATA_DIR", file))).containsExactly("DATA_DIR");
        assertThat(faulty(Map.of("DATA_DIR", file + "/below"))).containsExactly("DATA_DIR");
        assertThat(Config.read(Map.of(
                                "DATA_DIR",
                                file,
                                "SESSION_SECRET",
                                SECRET,
                                "DATABASE_URL",
                                "postgres://u@db/porchlight"))
                        .needsDataDir())
                .isFalse();
    }

    @Test
    void says_that_a_certificate_needs_its_key_and_a_key_its_certificate() throws Exception {
        ServerIdentity identity = identity();
        String certificate = file("certificate.pem", identity.certificatePem());
        String key = file("key.pem", identity.keyPem());

        assertFault(Map.of("TLS_CERTIFICATE", certificate), "TLS_KEY", "is missing", "private key");
        assertFault(Map.of("TLS_KEY", key), "TLS_CERTIFICATE", "is missing", "certificate");
    }

    @Test
    void says_that_a_key_is_another_certificates() throws Exception {
        String certificate = file("certificate.pem", identity().certificatePem());
        String key = file("key.pem", identity().keyPem());

        assertFault(Map.of("TLS_CERTIFICATE", certificate, "TLS_KEY", key), "TLS_KEY", "is wrong", "first certificate");
    }

    @Test
    void says_that_an_admin_token_cannot_be_sent() {
        assertFault(
                Map.of("ADMIN_TOKEN", "ein Schlüssel von vielen Zeichen"),
                "ADMIN_TOKEN",
                "cannot be sent in a header",
                "printable ASCII");
    }

    @Test
    void says_how_a_per_cent_sign_is_written_and_not_what_stands_around_it() {
        Map<String, String> bad = Map.of("DATABASE_URL", "postgres://porchlight:hu%shush@db/porchlight");

        assertFault(bad, "DATABASE_URL", "is wrong", "must be written %25");
        assertThat(faults(bad)).noneMatch(fault -> fault.toString().contains("sh"));
    }

    @Test
    void says_where_a_jdbc_url_has_its_user_and_password() {
        for (String url : List.of(
                "jdbc:postgresql://porchlight:hush@db/porchlight",
                "jdbc:postgresql://porchlight:hu/sh@db/porchlight?ssl=true",
                "jdbc:postgresql:porchlight:hush@db")) {
            Map<String, String> bad = Map.of("DATABASE_URL", url);

            assertFault(bad, "DATABASE_URL", "is wrong", "postgres://USER:PASSWORD@HOST/NAME");
            assertFault(bad, "DATABASE_URL", "is wrong", "jdbc:postgresql://HOST/NAME?user=USER&password=PASSWORD");
            assertThat(faults(bad)).noneMatch(fault -> fault.toString().contains("hu"));
        }
    }

    @Test
    void does_not_repeat_secrets() {
        Map<String, String> bad = Map.of(
                "SESSION_SECRET",
                "hush",
                "ADMIN_TOKEN",
                "hush",
                "DATABASE_URL",
                "x://u:hush@h",
                "REDIS_URL",
                "redis://u:hu/sh@h:hush");

        assertThat(faults(bad)).hasSize(4).noneMatch(fault -> fault.toString().contains("hush"));
    }

    @Test
    void takes_a_certificate_and_its_key_and_then_expects_https() throws Exception {
        ServerIdentity identity = identity();
        Config config = Config.read(Map.of(
                "TLS_CERTIFICATE", file("certificate.pem", identity.certificatePem()),
                "TLS_KEY", file("key.pem", identity.keyPem())));

        assertThat(config.tls()).isPresent();
        assertThat(config.relyingParty().origin()).isEqualTo("https://localhost:8080");
        assertThat(config.https()).isTrue();
    }

    private static void assertFault(Map<String, String> variables, String variable, String wrong, String right) {
        assertThat(faults(variables)).anySatisfy(fault -> {
            assertThat(fault.setting().name()).isEqualTo(variable);
            assertThat(fault.wrong()).isEqualTo(wrong);
            assertThat(fault.right()).contains(right);
        });
    }

    private static List<Fault> faults(Map<String, String> variables) {
        return catchThrowableOfType(InvalidConfigException.class, () -> Config.read(variables))
                .faults();
    }

    private static List<String> faulty(Map<String, String> variables) {
        return faults(variables).stream().map(fault -> fault.setting().name()).toList();
    }

    private static ServerIdentity identity() {
        Instant now = Instant.now();
        return ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)));
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }
}
