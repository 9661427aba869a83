// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The canary on a whole service: that it is well where the service is, and notices where it is not. */
@Tag("slow")
class CanaryTest {
    private static final String ROUNDS = "passkey_canary_rounds_total";

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void registers_signs_in_and_is_refused_round_after_round_and_leaves_nothing_behind(TestDatabase database) {
        Service service = Service.on(database, "CANARY_SECONDS", "1");
        try (service) {
            awaitRounds(service, "ok", 3);
            String metrics = service.exported();

            assertThat(value(metrics, ROUNDS, "outcome=\"failed\"")).isZero();
            assertThat(value(metrics, ROUNDS, "outcome=\"accepted\"")).isZero();
            assertThat(metrics).contains("passkey_canary_accepted_bad_total 0\n");
            assertThat(steps(metrics))
                    .containsExactlyInAnyOrder(
                            "enrolment",
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
                    .isGreaterThanOrEqualTo(3);
            assertThat(count(service, "passkey_credential WHERE user_id = ?")).isLessThanOrEqualTo(1);
        }
        assertThat(count(service, "passkey_credential WHERE user_id = ?")).isZero();
        assertThat(count(service, "passkey_user WHERE user_id = ?")).isEqualTo(1);
        assertThat(count(service, "porchlight_sealed_entry WHERE kind = 'session' AND owner <> ?"))
                .isZero();
    }

    @Test
    void figures_history_audit_and_log_are_about_people() {
        try (Service service = Service.on(TestDatabase.SQLITE, "CANARY_SECONDS", "1")) {
            Person person = service.stranger().enrol();
            person.login().expect(200);
            awaitRounds(service, "ok", 2);
            String metrics = service.exported();

            assertThat(value(metrics, "passkey_ceremonies_total", "ceremony=\"login\",outcome=\"ok\",reason=\"\""))
                    .isEqualTo(1);
            assertThat(metrics)
                    .doesNotContainPattern(
                            "passkey_ceremonies_total\\{ceremony=\"login\",outcome=\"refused\".*} [1-9]");
            assertThat(value(
                            metrics,
                            "http_requests_total",
                            "method=\"POST\",route=\"/auth/passkey/login/finish\",status=\"200\""))
                    .isEqualTo(1);
            assertThat(metrics).doesNotContain("route=\"/auth/passkey/login/finish\",status=\"401\"");
            assertThat(count(service, "porchlight_audit WHERE user_id = ?")).isZero();
            assertThat(service.admin()
                            .get("/console/api/ceremonies")
                            .expect(200)
                            .body())
                    .contains(person.userId())
                    .doesNotContain(CanaryUser.ID);
            assertThat(service.logs()).doesNotContain("porchlight-canary", "login refused");
        }
    }

    @Test
    void off_means_that_there_is_nothing_of_it() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            assertThat(service.web().get("/health/ready").expect(200).body()).doesNotContain("canary");
            assertThat(service.metrics()).doesNotContain("canary");
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(it -> it.getName().equals("porchlight-canary"));
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
                "RATE_LIMIT_PER_MINUTE=1",
                "SIGNUP=closed",
                "HOST=0.0.0.0",
                "HOST=::",
                "TRUSTED_PROXIES=127.0.0.1",
                "RP_ID=example.org RP_ORIGIN=https://login.example.org",
                "TLS"
            })
    void is_well_in_every_setup_that_is_well(String setup) throws Exception {
        List<String> variables = new ArrayList<>(List.of("CANARY_SECONDS", "1"));
        if (setup.equals("TLS")) {
            ServerIdentity identity = ServerIdentity.selfSigned(
                    "login.example.org",
                    Instant.now().minusSeconds(60),
                    Instant.now().plusSeconds(3_600));
            variables.addAll(List.of("TLS_CERTIFICATE", write("c.pem", identity.certificatePem())));
            variables.addAll(List.of("TLS_KEY", write("k.pem", identity.keyPem())));
            variables.addAll(List.of("RP_ORIGIN", "https://localhost", "MANAGEMENT_PORT", "0"));
        } else {
            Arrays.stream(setup.split("[= ]", -1)).forEach(variables::add);
        }
        try (Service service = Service.on(TestDatabase.SQLITE, variables.toArray(String[]::new))) {
            awaitRounds(service, "ok", 1);
            assertThat(service.exported())
                    .doesNotContainPattern("passkey_canary_steps_total\\{.*outcome=\"(failed|accepted)\"");
        }
    }

    private String write(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    @Test
    void spends_nobodys_budget() {
        try (Service service = Service.on(TestDatabase.SQLITE, "CANARY_SECONDS", "1", "RATE_LIMIT_PER_MINUTE", "2")) {
            awaitRounds(service, "ok", 2);

            for (int i = 0; i < 8; i++) {
                service.web().get(Person.LOGIN_OPTIONS).expect(200);
            }
            service.web().get(Person.LOGIN_OPTIONS).expectProblem(429, "rate_limited");
            service.web()
                    .with("Porchlight-Canary", "0".repeat(64))
                    .get(Person.LOGIN_OPTIONS)
                    .expectProblem(429, "rate_limited");
        }
    }

    @Test
    void its_mark_counts_for_nothing_where_it_never_asks() {
        try (Service service = Service.on(TestDatabase.SQLITE, "CANARY_SECONDS", "180", "RATE_LIMIT_PER_MINUTE", "2")) {
            Web marked = service.web().with("Porchlight-Canary", service.canaryMark());

            for (int i = 0; i < 9; i++) {
                marked.get(Person.LOGIN_OPTIONS).expect(200);
            }
            marked.post("/auth/signup", "{}").expect(400);
            marked.post("/auth/signup", "{}").expect(400);
            marked.post("/auth/signup", "{}").expectProblem(429, "rate_limited");

            String metrics = service.exported();
            assertThat(value(metrics, "http_requests_total", "method=\"POST\",route=\"/auth/signup\",status=\"400\""))
                    .isEqualTo(2);
            assertThat(metrics).doesNotContain("route=\"/auth/passkey/login/options\",status=\"200\"");
        }
    }

    @Test
    void is_well_where_the_service_listens_on_an_address_of_the_network_alone() throws Exception {
        String address = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(it -> it instanceof Inet4Address && !it.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElse("127.0.0.2");
        try (Service service = Service.on(TestDatabase.SQLITE, "CANARY_SECONDS", "1", "HOST", address)) {
            awaitRounds(service, "ok", 1);
        }
    }

    @Test
    void what_a_round_that_was_killed_left_behind_is_removed_before_it_is_in_the_way() {
        String url = TestDatabase.SQLITE.freshUrl();
        try (Service before = Service.at(url)) {
            Person person = before.stranger().enrol();
            before.behindItsBack(sql -> sql.update(
                    "UPDATE passkey_credential SET user_id = ?, created_at = ? WHERE user_id = ?",
                    CanaryUser.ID,
                    Instant.now().minus(Duration.ofMinutes(6)).toEpochMilli(),
                    person.userId()));
        }
        try (Service service = Service.at(url, "CANARY_SECONDS", "1", "MAX_PASSKEYS_PER_USER", "1")) {
            awaitRounds(service, "ok", 1);
            assertThat(value(service.exported(), ROUNDS, "outcome=\"failed\"")).isZero();
        }
    }

    @Test
    void several_instances_share_the_user_and_leave_each_others_passkeys_alone() {
        String url = TestDatabase.POSTGRES.freshUrl();
        Service one = Service.at(url, "CANARY_SECONDS", "1");
        try (one;
                Service other = Service.at(url, "CANARY_SECONDS", "1")) {
            for (Service service : List.of(one, other)) {
                awaitRounds(service, "ok", 3);
                assertThat(value(service.exported(), ROUNDS, "outcome=\"failed\""))
                        .isZero();
            }
        }
        assertThat(count(one, "passkey_credential WHERE user_id = ?")).isZero();
        assertThat(count(one, "passkey_user WHERE user_id = ?")).isEqualTo(1);
    }

    @Test
    void the_user_is_nobodys() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            String body = "{\"userId\":\"" + CanaryUser.ID + "\"}";
            service.web().post("/auth/signup", body).expectProblem(400, "invalid_user_id");
            service.admin().post("/admin/enrollments", body).expectProblem(400, "invalid_user_id");
            service.web().get(Person.LOGIN_OPTIONS + Web.user(CanaryUser.ID)).expectProblem(400, "invalid_user_id");
        }
    }

    @Test
    void a_passkey_that_somebody_brought_into_the_database_for_it_signs_nobody_in() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            Person person = service.stranger().enrol();
            service.behindItsBack(sql -> sql.update(
                    "UPDATE passkey_credential SET user_id = ? WHERE user_id = ?", CanaryUser.ID, person.userId()));
            String options = service.web().get(Person.LOGIN_OPTIONS).expect(200).body();

            Reply reply = service.web()
                    .post(
                            Person.LOGIN_FINISH,
                            person.browser().picks(person.userId()).get(options));

            reply.expectProblem(401, "authentication_failed");
            assertThat(reply.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(service.logs())
                    .contains("somebody has a passkey of the canary's user", "\"reason\":\"canary_user\"")
                    .doesNotContain("\"login ok\"");
            assertThat(value(
                            service.exported(),
                            "passkey_ceremonies_total",
                            "ceremony=\"login\",outcome=\"refused\",reason=\"canary_user\""))
                    .isEqualTo(1);
            assertThat(service.admin()
                            .get("/console/api/ceremonies")
                            .expect(200)
                            .body())
                    .contains("\"code\":\"canary_user\"");
            await().untilAsserted(() -> assertThat(count(
                            service,
                            "porchlight_audit WHERE user_id = ? AND action = 'login' AND outcome = 'refused'"
                                    + " AND reason = 'canary_user'"))
                    .isEqualTo(1));
            assertThat(count(service, "porchlight_audit WHERE user_id = ? AND outcome = 'ok'"))
                    .isZero();
        }
    }

    @Test
    void a_service_that_lets_nobody_register_is_noticed_and_stays_in_rotation_and_its_recovery_too() {
        try (Service service = Service.on(TestDatabase.SQLITE, "CANARY_SECONDS", "1")) {
            awaitRounds(service, "ok", 1);
            service.behindItsBack(sql -> sql.update("CREATE TRIGGER nobody BEFORE INSERT ON passkey_credential"
                    + " BEGIN SELECT RAISE(ABORT, 'nobody'); END"));

            awaitRounds(service, "failed", 2);
            await().untilAsserted(() -> assertThat(service.web()
                            .get("/health/ready")
                            .expect(200)
                            .json()
                            .object("checks")
                            .object("canary")
                            .toString())
                    .contains("\"state\":\"failing\"", "\"since\":", "\"step\":\"registration\""));
            assertThat(service.logs()).containsOnlyOnce("the canary fails");

            service.behindItsBack(sql -> sql.update("DROP TRIGGER nobody"));
            await().untilAsserted(() -> assertThat(service.logs()).containsOnlyOnce("the canary is well again"));
            await().untilAsserted(() -> assertThat(
                            service.web().get("/health/ready").expect(200).body())
                    .contains("\"state\":\"ok\""));
        }
    }

    @Test
    void a_service_that_takes_a_challenge_twice_is_noticed_and_goes_out_of_rotation_for_good() {
        try (Service service = Service.on(TestDatabase.SQLITE, "CANARY_SECONDS", "1", "SIGN_COUNT_POLICY", "flag")) {
            awaitRounds(service, "ok", 1);
            service.behindItsBack(sql -> sql.update("CREATE TRIGGER forgetful AFTER INSERT ON passkey_used_challenge"
                    + " BEGIN DELETE FROM passkey_used_challenge WHERE challenge_id = NEW.challenge_id; END"));

            awaitRounds(service, "accepted", 1);
            assertThat(value(
                            service.exported(), "passkey_canary_steps_total", "step=\"replayed\",outcome=\"accepted\""))
                    .isPositive();
            assertThat(value(service.exported(), "passkey_canary_accepted_bad_total", ""))
                    .isPositive();
            assertThat(service.logs()).contains("the canary signed in with an assertion that must be refused");
            assertThat(service.logs()).contains("\"level\":\"error\"");
            awaitDown(service);

            service.behindItsBack(sql -> sql.update("DROP TRIGGER forgetful"));
            double before = value(service.exported(), ROUNDS, "outcome=\"ok\"");
            awaitRounds(service, "ok", (int) before + 1);
            awaitDown(service);
            await().untilAsserted(() -> assertThat(count(
                            service,
                            "porchlight_audit WHERE user_id = ? AND action = 'canary' AND outcome = 'accepted'"))
                    .isPositive());
        }
    }

    private static void awaitDown(Service service) {
        await().untilAsserted(() -> assertThat(service.web()
                        .get("/health/ready")
                        .expect(503)
                        .json()
                        .object("checks")
                        .object("canary")
                        .toString())
                .contains("\"state\":\"accepted\"", "\"step\":\"replayed\""));
    }

    private static void awaitRounds(Service service, String outcome, int least) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(value(service.exported(), ROUNDS, "outcome=\"" + outcome + '"'))
                        .as(() -> String.join(
                                "\n",
                                service.logs()
                                        .lines()
                                        .filter(line -> line.contains("canary"))
                                        .toList()))
                        .isGreaterThanOrEqualTo(least));
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

    private static long count(Service service, String of) {
        return service.behindItsBack(
                sql -> sql.query("SELECT count(*) FROM " + of, row -> row.getLong(1), CanaryUser.ID)
                        .get(0));
    }
}
