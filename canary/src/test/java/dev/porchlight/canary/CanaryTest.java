// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.metrics.Format;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The canary on a whole service: it succeeds where the service works, and notices where it does not. */
@Tag("slow")
class CanaryTest {
    private static final String ROUNDS = "passkey_canary_rounds_total";
    private static final ObservabilitySettings SETTINGS =
            ObservabilitySettings.fromEnvironment("porchlight-canary", Map.of());
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Observability observe = Observability.open(SETTINGS, LogWriter.to(lines));

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        observe.close();
    }

    @Test
    void a_round_registers_signs_in_is_refused_and_leaves_nothing_behind() throws Exception {
        try (TestService service = new TestService();
                Canary canary = new Canary(service.settings(), observe)) {
            for (int i = 0; i < 3; i++) {
                assertThat(canary.round()).as(this::logs).isEqualTo("ok");
            }
            String metrics = metrics();

            assertThat(value(metrics, ROUNDS, "outcome=\"ok\"")).isEqualTo(3);
            assertThat(value(metrics, ROUNDS, "outcome=\"failed\"")).isZero();
            assertThat(value(metrics, ROUNDS, "outcome=\"accepted\"")).isZero();
            assertThat(metrics).contains("passkey_canary_accepted_bad_total 0\n");
            assertThat(steps(metrics))
                    .containsExactlyInAnyOrder(
                            "enrollment",
                            "registration_options",
                            "registration",
                            "login_options",
                            "login",
                            "token",
                            "session",
                            "removal",
                            "replayed",
                            "type_of_the_other_ceremony",
                            "challenge_never_issued",
                            "challenge_of_an_earlier_ceremony",
                            "origin_of_another_site",
                            "rp_id_hash_of_another_party",
                            "user_not_present",
                            "signed_by_another_key",
                            "signature_one_bit_off",
                            "authenticator_data_changed_later",
                            "passkey_never_registered");
            assertThat(value(metrics, "passkey_canary_last_success_timestamp_seconds", ""))
                    .isBetween(
                            Instant.now().getEpochSecond() - 60.0, Instant.now().getEpochSecond() + 1.0);
            assertThat(value(metrics, "passkey_canary_duration_seconds_count", ""))
                    .isEqualTo(3);
            assertThat(service.count("passkey_credential")).isZero();
            assertThat(service.count("passkey_user WHERE user_id = 'canary'")).isEqualTo(1);
            assertThat(service.count("porchlight_sealed_entry WHERE kind = 'session'"))
                    .isZero();
        }
    }

    @Test
    void rounds_follow_one_another_and_their_metrics_and_health_are_served() throws Exception {
        try (TestService service = new TestService()) {
            try (Canary canary = new Canary(service.settings("--every", "1"), observe)) {
                int port = canary.start();

                await().untilAsserted(() -> assertThat(
                                value(get(port, "/metrics").body(), ROUNDS, "outcome=\"ok\""))
                        .as(this::logs)
                        .isGreaterThanOrEqualTo(2));
                HttpResponse<String> health = get(port, "/health");
                assertThat(health.statusCode()).isEqualTo(200);
                assertThat(health.body()).startsWith("{\"state\":\"ok\",\"at\":");
            }
            assertThat(service.count("passkey_credential")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOGIN_RESULT=token",
                "LOGIN_RESULT=session",
                "USER_VERIFICATION=required",
                "USER_VERIFICATION=discouraged",
                "ATTESTATION=direct",
                "MAX_PASSKEYS_PER_USER=1",
                "RATE_LIMIT_PER_MINUTE=120",
                "SIGNUP=closed",
                "MANAGEMENT_PORT=0",
                "RP_ID=example.org RP_ORIGIN=https://login.example.org"
            })
    void a_round_succeeds_in_every_setup_that_works(String setup) throws Exception {
        try (TestService service = new TestService(setup.split("[= ]", -1));
                Canary canary = new Canary(service.settings(), observe)) {
            assertThat(canary.round()).as(this::logs).isEqualTo("ok");
        }
    }

    @Test
    void an_untrusted_certificate_is_noticed_and_a_trusted_one_accepted() throws Exception {
        ServerIdentity identity = ServerIdentity.selfSigned(
                "localhost", Instant.now().minusSeconds(60), Instant.now().plusSeconds(3_600));
        try (TestService service = new TestService(
                "TLS_CERTIFICATE", write("c.pem", identity.certificatePem()),
                "TLS_KEY", write("k.pem", identity.keyPem()),
                "RP_ORIGIN", "https://localhost")) {
            try (Canary canary = new Canary(service.settings(), observe)) {
                assertThat(canary.round()).isEqualTo("failed");
                assertThat(value(metrics(), "passkey_canary_steps_total", "step=\"enrollment\",outcome=\"failed\""))
                        .isEqualTo(1);
            }
            SSLContext before = SSLContext.getDefault();
            SSLContext.setDefault(trusting(identity));
            try (Observability other = Observability.open(SETTINGS, LogWriter.to(lines));
                    Canary canary = new Canary(service.settings(), other)) {
                assertThat(canary.round()).as(this::logs).isEqualTo("ok");
            } finally {
                SSLContext.setDefault(before);
            }
        }
    }

    @Test
    void an_exhausted_rate_limit_is_noticed() throws Exception {
        try (TestService service = new TestService("RATE_LIMIT_PER_MINUTE", "2");
                Canary canary = new Canary(service.settings(), observe)) {
            assertThat(canary.round()).isEqualTo("failed");
            await().untilAsserted(() -> assertThat(logs()).contains("429 rate_limited"));
        }
    }

    @Test
    void a_wrong_admin_token_fails_the_first_step() throws Exception {
        try (TestService service = new TestService();
                Canary canary = new Canary(service.settings("another-token", List.of()), observe)) {
            assertThat(canary.round()).isEqualTo("failed");
            await().untilAsserted(() -> assertThat(logs()).contains("\"step\":\"enrollment\"", "401 unauthenticated"));
        }
    }

    /** Rounds that cannot remove their passkey. */
    private static void leavesAPasskey(TestService service, Canary canary, int rounds) throws Exception {
        service.update(
                "CREATE TRIGGER kept BEFORE DELETE ON passkey_credential BEGIN SELECT RAISE(ABORT, 'kept'); END");
        for (int round = 0; round < rounds; round++) {
            assertThat(canary.round()).isEqualTo("failed");
        }
        service.update("DROP TRIGGER kept");
    }

    @Test
    void a_passkey_that_a_killed_round_left_behind_is_removed() throws Exception {
        try (TestService service = new TestService();
                Canary canary = new Canary(service.settings(), observe)) {
            leavesAPasskey(service, canary, 1);
            service.update("UPDATE passkey_credential SET created_at = created_at - 360000");

            assertThat(canary.round()).as(this::logs).isEqualTo("ok");
            assertThat(service.count("passkey_credential")).isZero();
        }
    }

    @Test
    void an_old_passkey_that_another_browser_registered_is_left_alone() throws Exception {
        try (TestService service = new TestService();
                Canary canary = new Canary(service.settings(), observe)) {
            leavesAPasskey(service, canary, 1);
            service.update("UPDATE passkey_credential SET created_at = created_at - 360000");
            service.update("UPDATE porchlight_passkey_source SET user_agent = 'Firefox'");

            try (Canary restarted = new Canary(service.settings(), Observability.open(SETTINGS, LogWriter.to(lines)))) {
                assertThat(restarted.round()).as(this::logs).isEqualTo("ok");
            }
            assertThat(service.count("passkey_credential")).isEqualTo(1);
        }
    }

    @Test
    void a_passkey_whose_removal_failed_is_removed_before_another_is_registered() throws Exception {
        try (TestService service = new TestService("MAX_PASSKEYS_PER_USER", "1");
                Canary canary = new Canary(service.settings(), observe)) {
            leavesAPasskey(service, canary, 2);
            assertThat(service.count("passkey_credential")).isEqualTo(1);

            assertThat(canary.round()).as(this::logs).isEqualTo("ok");
            assertThat(service.count("passkey_credential")).isZero();
        }
    }

    @Test
    void a_leftover_passkey_that_an_operator_removed_does_not_stop_the_canary() throws Exception {
        try (TestService service = new TestService();
                Canary canary = new Canary(service.settings(), observe)) {
            leavesAPasskey(service, canary, 1);
            service.update("DELETE FROM passkey_credential");

            assertThat(canary.round()).as(this::logs).isEqualTo("ok");
            assertThat(service.count("passkey_credential")).isZero();
        }
    }

    @Test
    void several_canaries_share_the_user_and_leave_each_others_passkeys_alone() throws Exception {
        try (TestService service = new TestService();
                Observability another = Observability.open(SETTINGS, LogWriter.to(lines));
                Canary one = new Canary(service.settings(), observe);
                Canary other = new Canary(service.settings(), another)) {
            List<CompletableFuture<String>> rounds = Stream.of(one, other)
                    .map(canary -> CompletableFuture.supplyAsync(() -> canary.round() + canary.round()))
                    .toList();

            assertThat(rounds)
                    .allSatisfy(round -> assertThat(round.join()).as(this::logs).isEqualTo("okok"));
            assertThat(service.count("passkey_credential")).isZero();
            assertThat(service.count("passkey_user")).isEqualTo(1);
        }
    }

    @Test
    void a_service_that_lets_no_user_register_is_noticed_and_its_recovery_too() throws Exception {
        try (TestService service = new TestService();
                Canary canary = new Canary(service.settings("--every", "1"), observe)) {
            int port = canary.start();
            awaitRounds("ok", 1);
            service.update("CREATE TRIGGER refused BEFORE INSERT ON passkey_credential"
                    + " BEGIN SELECT RAISE(ABORT, 'refused'); END");

            awaitRounds("failed", 2);
            assertThat(get(port, "/health").statusCode()).isEqualTo(200);
            assertThat(get(port, "/health").body())
                    .contains("\"state\":\"failing\"", "\"since\":", "\"step\":\"registration\"");
            assertThat(logs()).containsOnlyOnce("the canary fails");

            service.update("DROP TRIGGER refused");
            await().untilAsserted(() -> assertThat(logs()).containsOnlyOnce("the canary succeeds again"));
            assertThat(get(port, "/health").body()).contains("\"state\":\"ok\"");
        }
    }

    @Test
    void a_service_that_accepts_a_challenge_twice_is_noticed_and_reported_until_the_canary_is_restarted()
            throws Exception {
        try (TestService service = new TestService("SIGN_COUNT_POLICY", "flag");
                Canary canary = new Canary(service.settings("--every", "1"), observe)) {
            int port = canary.start();
            awaitRounds("ok", 1);
            service.update("CREATE TRIGGER forgetful AFTER INSERT ON passkey_used_challenge"
                    + " BEGIN DELETE FROM passkey_used_challenge WHERE challenge_id = NEW.challenge_id; END");

            awaitRounds("accepted", 1);
            assertThat(value(metrics(), "passkey_canary_steps_total", "step=\"replayed\",outcome=\"accepted\""))
                    .isPositive();
            assertThat(value(metrics(), "passkey_canary_accepted_bad_total", ""))
                    .isPositive();
            await().untilAsserted(() -> assertThat(logs())
                    .contains("the canary signed in with an assertion that must be refused", "\"level\":\"error\""));
            assertAccepted(port);

            service.update("DROP TRIGGER forgetful");
            awaitRounds("ok", (int) value(metrics(), ROUNDS, "outcome=\"ok\"") + 1);
            assertAccepted(port);
        }
    }

    private static void assertAccepted(int port) throws Exception {
        await().untilAsserted(
                        () -> assertThat(get(port, "/health").statusCode()).isEqualTo(503));
        assertThat(get(port, "/health").body()).contains("\"state\":\"accepted\"", "\"step\":\"replayed\"");
    }

    private void awaitRounds(String outcome, int least) {
        await().untilAsserted(() -> assertThat(value(metrics(), ROUNDS, "outcome=\"" + outcome + '"'))
                .as(this::logs)
                .isGreaterThanOrEqualTo(least));
    }

    private static SSLContext trusting(ServerIdentity identity) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("service", identity.certificate());
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private String metrics() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        observe.metrics().scrape(Format.TEXT, out);
        return out.toString(UTF_8);
    }

    private String logs() {
        return lines.toString(UTF_8);
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static double value(String metrics, String name, String labels) {
        return Pattern.compile(
                        "^" + Pattern.quote(labels.isEmpty() ? name : name + '{' + labels + '}') + " (\\S+)$",
                        Pattern.MULTILINE)
                .matcher(metrics)
                .results()
                .mapToDouble(match -> Double.parseDouble(match.group(1)))
                .sum();
    }

    private static Stream<String> steps(String metrics) {
        return Pattern.compile("passkey_canary_steps_total\\{step=\"(\\w+)\",outcome=\"ok\"}")
                .matcher(metrics)
                .results()
                .map(match -> match.group(1));
    }
}
