// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An invalid configuration is refused with all of its faults. */
class BadConfigTest {
    private static final String SECRET = UUID.randomUUID().toString();

    @TempDir
    Path directory;

    @Test
    void all_faults_are_reported_together_with_their_fixes() throws Exception {
        Path torn = Files.writeString(directory.resolve("torn.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n");
        Map<String, String> bad = new HashMap<>();
        bad.put("PORT", "eighty");
        bad.put("RP_ID", "example.org");
        bad.put("RP_ORIGIN", "https://login.example.com");
        bad.put("RP_RELATED_ORIGINS", "http://other.example.com");
        bad.put("ANDROID_APPS", "com.example.app=14:6D");
        bad.put("IOS_APPS", "com.example.app");
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
        assertFault(bad, "RP_ID", "does not match RP_ORIGIN", "neither the host of https://login.example.com nor");
        assertFault(bad, "RP_RELATED_ORIGINS", "has \"http://other.example.com\"", "must be https");
        assertFault(bad, "ANDROID_APPS", "is \"com.example.app=14:6D\"", "keytool -list -v");
        assertFault(bad, "IOS_APPS", "is \"com.example.app\"", "TEAMID.BUNDLE_ID");
        assertFault(bad, "DATABASE_URL", "is invalid", "jdbc:postgresql://HOST/NAME");
        assertFault(bad, "REDIS_URL", "is invalid", "redis+sentinel://HOST,HOST/NAME");
        assertFault(bad, "SESSION_SECRET", "is too short", "openssl rand -hex 32");
        assertFault(bad, "ADMIN_TOKEN", "is too short", "16 characters");
        assertFault(bad, "SIGNUP", "is \"maybe\"", "open, closed");
        assertFault(bad, "LOGIN_RESULT", "is \"cookie\"", "token, session, both");
        assertFault(bad, "TOKEN_TTL_SECONDS", "is \"0\"", "from 1 to");
        assertFault(bad, "USER_VERIFICATION", "is \"always\"", "required, preferred, discouraged");
        assertFault(bad, "TRUSTED_PROXIES", "is invalid", "10.0.0.0/99");
        assertFault(bad, "TLS_CERTIFICATE", "is invalid", "the file /no/such/file.pem does not exist");
        assertFault(bad, "TLS_KEY", "is invalid", "openssl pkcs8 -topk8 -nocrypt");
        assertFault(bad, "LOG_LEVEL", "is \"loud\"", "trace, debug, info");
        assertFault(bad, "OTEL_EXPORTER_OTLP_ENDPOINT", "is \"localhost:4318\"", "http://localhost:4318");
        assertThat(faults(bad)).hasSize(18);
    }

    @Test
    void metadata_and_policy_are_checked() throws Exception {
        String policy = Files.writeString(directory.resolve("policy.json"), "{\"minimumCertification\":\"L1\"}")
                .toString();
        String wrong = Files.writeString(directory.resolve("wrong.json"), "{\"alow\":[]}")
                .toString();

        assertFault(
                Map.of("METADATA_URL", "http://mds.fidoalliance.org/"),
                "METADATA_URL",
                "is \"http://mds.fidoalliance.org/\"",
                "must be an https URL");
        assertFault(Map.of("METADATA_FILE", "/no/such/blob"), "METADATA_FILE", "is invalid", "does not exist");
        assertFault(Map.of("METADATA_ROOTS", wrong), "METADATA_ROOTS", "is invalid", "PEM file");
        assertFault(Map.of("PASSKEY_POLICY_FILE", wrong), "PASSKEY_POLICY_FILE", "is invalid", "alow");
        assertFault(Map.of("PASSKEY_POLICY_FILE", policy), "METADATA_URL", "is missing", "requires attestation");
        assertFault(
                Map.of("METADATA_FILE", policy, "METADATA_URL", "https://mds.fidoalliance.org/"),
                "METADATA_URL",
                "and METADATA_FILE are set",
                "set one of them");
    }

    @Test
    void enterprise_attestation_that_is_not_verified_is_reported() {
        assertFault(
                Map.of("ENTERPRISE_ATTESTATION", "ada"),
                "ENTERPRISE_ATTESTATION",
                "is set, but attestation is not verified",
                "set ATTESTATION=direct");
    }

    @Test
    void a_missing_secret_is_reported_outside_localhost_mode() {
        assertFault(
                Map.of("RP_ID", "example.com", "RP_ORIGIN", "https://example.com"),
                "SESSION_SECRET",
                "is missing",
                "openssl rand -hex 32");
    }

    @Test
    void an_http_origin_outside_localhost_is_refused() {
        assertFault(
                Map.of("RP_ID", "example.com", "RP_ORIGIN", "http://example.com", "SESSION_SECRET", SECRET),
                "RP_ORIGIN",
                "is \"http://example.com\"",
                "must be https");
    }

    @Test
    void an_invalid_origin_is_one_fault_and_hides_no_other() {
        Map<String, String> bad = Map.of("RP_ID", "example.com", "RP_ORIGIN", "http://example.com");

        assertThat(faulty(bad)).containsExactlyInAnyOrder("RP_ORIGIN", "SESSION_SECRET");
        assertThat(faults(bad).toString()).doesNotContain("topOrigins", "http://localhost");
    }

    @Test
    void an_invalid_port_causes_no_other_fault() {
        assertThat(faulty(Map.of("PORT", "abc", "MANAGEMENT_PORT", "8080"))).containsExactly("PORT");
        assertThat(faulty(Map.of("PORT", "abc", "RP_ID", "example.com", "RP_ORIGIN", "http://example.com")))
                .containsExactlyInAnyOrder("PORT", "RP_ORIGIN", "SESSION_SECRET");
    }

    @Test
    void a_missing_origin_is_reported_with_a_suggestion() {
        Map<String, String> bad = Map.of("RP_ID", "example.com", "SESSION_SECRET", SECRET);

        assertThat(faults(bad)).hasSize(1);
        assertFault(bad, "RP_ORIGIN", "is missing", "https://example.com");
    }

    @Test
    void a_missing_rp_id_is_reported_with_a_suggestion() {
        Map<String, String> bad = Map.of("RP_ORIGIN", "https://login.example.com");

        assertThat(faulty(bad)).containsExactlyInAnyOrder("RP_ID", "SESSION_SECRET");
        assertFault(bad, "RP_ID", "does not match RP_ORIGIN", "set it to login.example.com");
    }

    @Test
    void an_rp_id_that_is_not_a_domain_is_one_fault() {
        Map<String, String> bad =
                Map.of("RP_ID", "https://example.com", "RP_ORIGIN", "https://example.com", "SESSION_SECRET", SECRET);

        assertThat(faults(bad)).hasSize(1);
        assertFault(bad, "RP_ID", "is \"https://example.com\"", "without scheme and port");
    }

    @Test
    void messages_do_not_use_internal_names() {
        assertThat(faults(Map.of("RP_NAME", "x".repeat(257))))
                .singleElement()
                .hasToString("RP_NAME is invalid: the name must have 1 to 256 characters");
    }

    @Test
    void a_host_that_does_not_resolve_is_reported() {
        assertFault(
                Map.of("HOST", "no-such-host.invalid"), "HOST", "is \"no-such-host.invalid\"", "for example 127.0.0.1");
    }

    @Test
    void a_file_as_data_directory_is_reported_if_the_directory_is_used() throws Exception {
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
    void certificate_and_key_require_each_other() throws Exception {
        ServerIdentity identity = identity();
        String certificate = file("certificate.pem", identity.certificatePem());
        String key = file("key.pem", identity.keyPem());

        assertFault(Map.of("TLS_CERTIFICATE", certificate), "TLS_KEY", "is missing", "private key");
        assertFault(Map.of("TLS_KEY", key), "TLS_CERTIFICATE", "is missing", "certificate");
    }

    @Test
    void a_key_of_another_certificate_is_refused() throws Exception {
        String certificate = file("certificate.pem", identity().certificatePem());
        String key = file("key.pem", identity().keyPem());

        assertFault(
                Map.of("TLS_CERTIFICATE", certificate, "TLS_KEY", key), "TLS_KEY", "is invalid", "first certificate");
    }

    @Test
    void an_admin_token_that_cannot_be_sent_in_a_header_is_refused() {
        assertFault(
                Map.of("ADMIN_TOKEN", "ein Schlüssel von vielen Zeichen"),
                "ADMIN_TOKEN",
                "cannot be sent in a header",
                "printable ASCII");
    }

    @Test
    void an_invalid_percent_sign_is_reported_without_its_context() {
        Map<String, String> bad = Map.of("DATABASE_URL", "postgres://porchlight:hu%shush@db/porchlight");

        assertFault(bad, "DATABASE_URL", "is invalid", "must be written %25");
        assertThat(faults(bad)).noneMatch(fault -> fault.toString().contains("sh"));
    }

    @Test
    void credentials_before_the_host_of_a_jdbc_url_are_refused() {
        for (String url : List.of(
                "jdbc:postgresql://porchlight:hush@db/porchlight",
                "jdbc:postgresql://porchlight:hu/sh@db/porchlight?ssl=true",
                "jdbc:postgresql:porchlight:hush@db")) {
            Map<String, String> bad = Map.of("DATABASE_URL", url);

            assertFault(bad, "DATABASE_URL", "is invalid", "postgres://USER:PASSWORD@HOST/NAME");
            assertFault(bad, "DATABASE_URL", "is invalid", "jdbc:postgresql://HOST/NAME?user=USER&password=PASSWORD");
            assertThat(faults(bad)).noneMatch(fault -> fault.toString().contains("hu"));
        }
    }

    /** Anyone who reads the repository knows the secrets in it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "an example secret, replace it outside a trial",
                "an example token, replace it",
                "replace-me-by-what-openssl-rand-hex-32-prints",
                "replace-me-by-what-openssl-rand-hex-24-prints",
                "Change-Me-1234567890-1234567890-1234567890",
                "porchlight-session-0123456789-0123456789"
            })
    void an_example_is_not_a_secret_outside_localhost_mode(String example) {
        Map<String, String> open = Map.of("RP_ID", "example.com", "RP_ORIGIN", "https://example.com");
        Map<String, String> token = new HashMap<>(open);
        token.put("SESSION_SECRET", SECRET);
        token.put("ADMIN_TOKEN", example);
        assertFault(token, "ADMIN_TOKEN", "is an example", "openssl rand");
        String padded = example + " 0123456789";
        Map<String, String> secret = new HashMap<>(open);
        secret.put("SESSION_SECRET", padded);
        assertFault(secret, "SESSION_SECRET", "is an example", "openssl rand");
        Map<String, String> previous = new HashMap<>(open);
        previous.put("SESSION_SECRET", SECRET);
        previous.put("SESSION_SECRET_PREVIOUS", padded);
        assertFault(previous, "SESSION_SECRET_PREVIOUS", "is an example", "unset it");

        assertThatCode(() -> Config.read(Map.of(
                        "SESSION_SECRET", padded, "SESSION_SECRET_PREVIOUS", padded + '!', "ADMIN_TOKEN", example)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "DATABASE_URL, postgres://porchlight:porchlight@postgres/porchlight",
        "DATABASE_URL, postgres://porchlight:PASSWORD@postgres/porchlight",
        "DATABASE_URL, postgres://porchlight:secret-1@db.example.com/porchlight",
        "DATABASE_URL, jdbc:postgresql://postgres/porchlight?user=porchlight&password=change%20password",
        "REDIS_URL, rediss://USER:PASSWORD@cache.example.com"
    })
    void the_password_of_an_example_is_refused_outside_localhost_mode(String setting, String url) {
        Map<String, String> open =
                Map.of("RP_ID", "example.com", "RP_ORIGIN", "https://example.com", "SESSION_SECRET", SECRET);
        Map<String, String> example = new HashMap<>(open);
        example.put(setting, url);
        assertFault(example, setting, "has the password of an example", "openssl rand");

        assertThatCode(() -> Config.read(Map.of(setting, url))).doesNotThrowAnyException();
        for (String chosen : List.of("secret-k7", "8061", "")) {
            Map<String, String> other = new HashMap<>(open);
            other.put("DATABASE_URL", "postgres://porchlight:" + chosen + "@postgres/porchlight");
            assertThatCode(() -> Config.read(other)).as(chosen).doesNotThrowAnyException();
        }
    }

    @Test
    void messages_do_not_contain_secrets() {
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
    void a_certificate_and_its_key_enable_https() throws Exception {
        ServerIdentity identity = identity();
        Config config = Config.read(Map.of(
                "TLS_CERTIFICATE", file("certificate.pem", identity.certificatePem()),
                "TLS_KEY", file("key.pem", identity.keyPem())));

        assertThat(config.tls()).isPresent();
        assertThat(config.relyingParty().origin()).isEqualTo("https://localhost:8080");
        assertThat(config.https()).isTrue();
    }

    private static void assertFault(Map<String, String> variables, String variable, String problem, String fix) {
        assertThat(faults(variables)).anySatisfy(fault -> {
            assertThat(fault.setting().name()).isEqualTo(variable);
            assertThat(fault.problem()).isEqualTo(problem);
            assertThat(fault.fix()).contains(fix);
        });
    }

    private static List<InvalidConfigException.Fault> faults(Map<String, String> variables) {
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
