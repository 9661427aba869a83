// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.attestation.ServerIdentity;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Explanations of responses, by the console's route and by the command that calls it. */
class ExplainRouteTest {
    private static final String EXPLAIN = "/console/api/explain";

    /** The longest JSON that a client may send. */
    private static final int JSON_LIMIT = 65_536;

    private static final String TRACE = "9b8977abcdef01230123456789abcdef";
    private static final String CODE = "KE-4QF";

    private Service service;
    private Person ada;

    @BeforeEach
    void start() {
        service = Service.on(TestDatabase.SQLITE);
        ada = service.newUser().enroll();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_valid_login_passes_in_verification_order_and_can_still_be_finished() {
        String options = ada.loginOptions();
        String response = ada.browser().get(options);
        long count = signCount();

        JsonObject explained = explain(pasted(response).put("options", options).put("userId", ada.userId()));

        assertThat(explained.string("ceremony")).isEqualTo("login");
        assertThat(explained.integer("refused")).isZero();
        assertThat(explained.has("refusal")).isFalse();
        assertThat(states(explained, "challenge_expired")).isEqualTo("not_checked");
        assertThat(step(explained, "origin_mismatch").string("expected")).isEqualTo("http://localhost");
        assertThat(step(explained, "origin_mismatch").string("found")).isEqualTo("http://localhost");
        assertThat(step(explained, "sign_count").string("expected"))
                .isEqualTo(
                        count == 0 ? "0 or more" : "more than " + count + ", otherwise refused (device-bound passkey)");
        assertThat(signCount()).isEqualTo(count);
        TestResponse login = ada.finishLogin(response).expect(200);
        List<String> checked = new ArrayList<>(judged(login));
        checked.add("user_locked"); // in the database
        assertThat(codes(explained)).containsExactlyElementsOf(checked);
    }

    @Test
    void a_valid_registration_passes_in_verification_order_and_can_still_be_finished() {
        Person grace = service.newUser();
        Web bearer = service.web().bearer(grace.enrollmentToken());
        String response =
                grace.browser().create(bearer.get(Person.REGISTER_OPTIONS).body());

        JsonObject explained = explain(pasted(response).put("userId", grace.userId()));

        assertThat(explained.string("ceremony")).isEqualTo("registration");
        assertThat(explained.integer("refused")).isZero();
        assertThat(step(explained, "too_many_credentials").string("found")).isEqualTo("0");
        TestResponse registered = bearer.post(Person.REGISTER_FINISH, response).expect(201);
        assertThat(codes(explained))
                .startsWith(judged(registered).toArray(String[]::new))
                .endsWith("credential_exists", "too_many_credentials");
    }

    @Test
    void the_challenge_can_replace_the_options() {
        String options = ada.loginOptions();
        String challenge = JsonObject.parse(options).string("challenge");
        String response = ada.browser().get(options);

        assertThat(states(explain(pasted(response).put("options", challenge)), "challenge_not_found"))
                .isEqualTo("passed");
        assertThat(states(explain(pasted(response).put("options", "AAAA")), "challenge_not_found"))
                .isEqualTo("refused");
    }

    @Test
    void a_refused_login_is_explained_by_its_support_code() {
        TestResponse refused =
                refuse(new SoftBrowser("http://localhost:1234", ada.browser().authenticator()));

        JsonObject explained = explain(code(CODE.toLowerCase(Locale.ROOT)));

        JsonObject then = explained.object("refusal");
        assertThat(then.string("supportCode")).isEqualTo(CODE);
        assertThat(then.string("traceId")).isEqualTo(TRACE);
        assertThat(then.string("correlationId")).isEqualTo(refused.header("X-Correlation-ID"));
        assertThat(then.string("step")).isEqualTo("origin_mismatch");
        assertThat(then.string("user")).isEqualTo(ada.userId());
        JsonObject red = step(explained, "origin_mismatch");
        assertThat(red.string("state")).isEqualTo("refused");
        assertThat(red.string("expected")).isEqualTo("http://localhost");
        assertThat(red.string("found")).isEqualTo("http://localhost:1234; registered on http://localhost");
        assertThat(red.object("cause").toString()).contains("RP_ORIGIN");
        assertThat(explained.integer("refused")).isEqualTo(1);
        assertThat(states(explained, "challenge_not_found")).isEqualTo("not_checked"); // refused before this step
        assertThat(states(explained, "bad_signature")).isEqualTo("passed");
        assertThat(explain(code(refused.header("X-Correlation-ID")))).hasToString(explained.toString());
        assertThat(explain(code(TRACE))).hasToString(explained.toString());
        JsonObject listed = service.admin()
                .get("/console/api/ceremonies?find=" + CODE)
                .json()
                .objects("ceremonies")
                .get(0);
        assertThat(listed.flag("kept")).isTrue();
    }

    @Test
    void the_challenge_state_at_the_time_of_the_refusal_is_explained() {
        Web traced = service.web().with("traceparent", "00-" + TRACE + "-0123456789abcdef-01");
        String response = ada.assertion();
        service.clock().advance(Duration.ofMinutes(6));
        traced.post(Person.LOGIN_FINISH + Web.user(ada.userId()), response).expect(401);

        JsonObject late = explain(code(CODE));
        assertThat(states(late, "challenge_not_found")).isEqualTo("passed");
        assertThat(states(late, "challenge_expired")).isEqualTo("refused");
        assertThat(states(late, "bad_signature")).isEqualTo("passed");

        String used = ada.assertion();
        ada.finishLogin(used).expect(200);
        traced.post(Person.LOGIN_FINISH + Web.user(ada.userId()), used).expect(401);
        JsonObject again = explain(code(CODE));
        assertThat(states(again, "challenge_not_found")).isEqualTo("refused");
        assertThat(states(again, "challenge_expired")).isEqualTo("passed");
    }

    @Test
    void user_verification_required_at_registration_is_explained() {
        service.withSql(sql -> sql.update(
                "UPDATE passkey_credential SET verification_required = 1 WHERE credential_id = ?", ada.credentialId()));
        ada.browser().authenticator().setUserVerified(false);

        JsonObject explained = explain(pasted(ada.assertion()));

        assertThat(step(explained, "user_not_verified").string("expected"))
                .isEqualTo("UV set, as required when the passkey was registered");
        assertThat(explained.integer("refused")).isEqualTo(1);
        assertThat(states(explained, "user_not_verified")).isEqualTo("refused");
        assertThat(states(explained, "sign_count")).isEqualTo("passed");
    }

    @Test
    void a_refusal_is_still_explained_after_its_cause_is_gone() {
        String credentialId = ada.credentialId();
        service.withSql(sql ->
                sql.update("UPDATE passkey_credential SET sign_count = 1000 WHERE credential_id = ?", credentialId));
        refuse(ada.browser());
        assertThat(step(explain(code(CODE)), "sign_count").string("expected"))
                .isEqualTo("more than 1000, otherwise refused (device-bound passkey)");

        service.withSql(sql ->
                sql.update("UPDATE passkey_credential SET sign_count = 0 WHERE credential_id = ?", credentialId));

        JsonObject red = step(explain(code(CODE)), "sign_count");
        assertThat(red.string("state")).isEqualTo("refused");
        assertThat(red.string("expected")).startsWith("more than 1000");
        assertThat(red.string("detail")).isEqualTo("checked again now, it passes");
    }

    @Test
    void a_stale_sign_count_of_a_synced_passkey_is_explained_as_flagged() {
        Person grace = service.newUser(
                        SoftAuthenticator.builder().backup(true, true).build())
                .enroll();
        service.withSql(sql -> sql.update(
                "UPDATE passkey_credential SET sign_count = 1000 WHERE credential_id = ?", grace.credentialId()));

        JsonObject explained = explain(pasted(grace.assertion()));
        grace.login().expect(200);

        assertThat(step(explained, "sign_count").string("expected"))
                .isEqualTo("more than 1000, otherwise flagged (synced passkey)");
        assertThat(states(explained, "sign_count")).isEqualTo("passed");
        assertThat(service.metrics()).contains("passkey_suspicions_total{reason=\"sign_count\"} 1");
    }

    @Test
    void steps_after_an_unparsable_response_are_not_reached() {
        JsonObject explained = explain(pasted("not even JSON"));

        assertThat(explained.integer("refused")).isEqualTo(1);
        assertThat(states(explained, "malformed_response")).isEqualTo("refused");
        assertThat(explained
                        .objects("steps")
                        .subList(1, explained.objects("steps").size()))
                .hasSizeGreaterThan(20)
                .allMatch(step -> step.string("state").equals("not_reached"));
    }

    @Test
    void the_explain_route_requires_an_operator_and_refuses_other_origins() {
        String body = code(CODE).toString();
        service.web().post(EXPLAIN, body).expectProblem(401, "unauthenticated");
        service.web().bearer("a wrong token").post(EXPLAIN, body).expectProblem(401, "unauthenticated");
        ada.byToken().post(EXPLAIN, body).expectProblem(401, "unauthenticated");
        ada.bySession().post(EXPLAIN, body).expectProblem(403, "no_role");
        service.admin().with("Sec-Fetch-Site", "cross-site").post(EXPLAIN, body).expectProblem(403, "cross_site");
        service.admin()
                .with("Content-Type", "text/plain")
                .send("POST", EXPLAIN, body)
                .expectProblem(415, "unsupported_media_type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"response\":7}",
                "{\"code\":\"KE-4QF\",\"response\":\"{}\"}",
                "{\"response\":\"{}\",\"options\":\"{}\"}",
                "{\"response\":\"{}\",\"options\":\"{\"}",
                "{\"response\":\"{}\",\"userId\":\"\"}",
                "{\"response\":\"{}\",\"userId\":\"a\\u0000b\"}"
            })
    void a_malformed_explain_request_is_refused(String body) {
        service.admin().post(EXPLAIN, body).expectProblem(400, "malformed_request");
    }

    @Test
    void an_oversized_request_is_refused_and_an_oversized_response_is_not_kept() {
        service.admin().post(EXPLAIN, pasted("x".repeat(70_000)).toString()).expectProblem(413, "body_too_large");
        Web traced = service.web().with("traceparent", "00-" + TRACE + "-0123456789abcdef-01");
        traced.post(Person.LOGIN_FINISH, "\"" + "x".repeat(CeremonyHistory.MAX_RESPONSE_CHARS) + "\"")
                .expect(401);

        service.admin().post(EXPLAIN, code(CODE).toString()).expectProblem(404, "response_not_kept");
    }

    @Test
    void accepted_responses_are_not_kept() {
        TestResponse login = ada.login().expect(200);
        service.admin()
                .post(EXPLAIN, code(login.header("X-Correlation-ID")).toString())
                .expectProblem(404, "response_not_kept");
    }

    @Test
    void a_refusal_is_explained_after_a_restart() {
        refuse(new SoftBrowser("http://localhost:1234", ada.browser().authenticator()));
        JsonObject before = explain(code(CODE));
        String database = service.databaseUrl();
        service.close();

        service = Service.at(database);

        assertThat(explain(code(CODE)))
                .satisfies(after -> assertThat(after.object("refusal"))
                        .hasToString(before.object("refusal").toString()));
        service.clock().advance(CeremonyHistory.TIME);
        service.admin().post(EXPLAIN, code(CODE).toString()).expectProblem(404, "response_not_kept");
    }

    @Test
    void explanations_and_logs_contain_no_complete_secret_of_the_response() {
        String options = ada.loginOptions();
        String response =
                ada.browser().get(options, Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off"));
        service.web()
                .with("traceparent", "00-" + TRACE + "-0123456789abcdef-01")
                .post(Person.LOGIN_FINISH + Web.user(ada.userId()), response)
                .expect(401);

        String explained = explain(code(CODE))
                + explain(pasted(response).put("options", options)).toString();

        JsonObject inner = JsonObject.parse(response).object("response");
        for (String secret : List.of(
                JsonObject.parse(options).string("challenge"),
                ada.credentialId(),
                inner.string("signature"),
                inner.string("clientDataJSON"),
                inner.string("authenticatorData"),
                inner.string("userHandle", "no handle"))) {
            assertThat(explained).doesNotContain(secret);
            assertThat(service.logs()).doesNotContain(secret);
        }
        assertThat(explained).contains("bad_signature");
    }

    @Test
    void hostile_text_is_shortened_and_made_printable() {
        String response = ada.assertion();
        JsonObject json = JsonObject.parse(response);
        String clientData = new String(json.object("response").octets("clientDataJSON"), UTF_8)
                .replace("http://localhost", "http://\\u001b[31m\\u202e" + "x".repeat(300));
        json.put(
                "response",
                json.object("response")
                        .put(
                                "clientDataJSON",
                                Base64.getUrlEncoder().withoutPadding().encodeToString(clientData.getBytes(UTF_8))));

        String found = step(explain(pasted(json.toString())), "origin_mismatch").string("found");

        assertThat(found).startsWith("http://?[31m?xxx").hasSizeLessThan(300);
    }

    @Test
    void every_explanation_is_audited_with_its_user() {
        refuse(new SoftBrowser("http://localhost:1234", ada.browser().authenticator()));
        explain(code(CODE));
        explain(pasted(ada.browser().get(service.web().get(Person.LOGIN_OPTIONS).body())));

        List<String> users = service.withSql(sql -> sql.query(
                "SELECT user_id FROM porchlight_audit JOIN porchlight_audit_subject USING (subject) WHERE action = 'response_explained'",
                row -> row.getString(1)));
        assertThat(users).containsExactly(ada.userId(), ada.userId());
    }

    @Test
    void notes_about_steps_are_in_the_language_of_the_operator() {
        JsonObject question = pasted(ada.assertion());
        JsonObject explained = service.admin()
                .with("Accept-Language", "de")
                .post("/console/api/explain", question.toString())
                .expect(200)
                .json();

        assertThat(step(explained, "challenge_expired").string("detail")).startsWith("nur der Dienst weiß");
        assertThat(step(explain(question), "challenge_expired").string("detail"))
                .startsWith("only the service knows");
    }

    @Test
    void the_command_explains_a_refused_response_of_the_running_service() {
        refuse(new SoftBrowser("http://localhost:1234", ada.browser().authenticator()));

        CliRun run = command("--code", CODE, "--url", service.web().uri("/").toString());

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("A sign-in of " + ada.userId() + ", refused at ", ": origin_mismatch; correlation id ")
                .contains("  REFUSED      origin_mismatch: The page's origin is not one that this service accepts")
                .contains(
                        "               expected: http://localhost\n",
                        "               found:    http://localhost:1234;")
                .contains("               settings: RP_ORIGIN, RP_RELATED_ORIGINS")
                .contains("  passed       signature")
                .endsWith("One step refuses it.\n");
    }

    @Test
    void the_json_of_the_command_has_what_the_routes_return() {
        refuse(new SoftBrowser("http://localhost:1234", ada.browser().authenticator()));

        CliRun run = command(
                "--code", CODE, "--json", "--url", service.web().uri("/").toString());

        assertThat(run.status()).as(run.err()).isZero();
        JsonObject printed = JsonObject.parse(run.out());
        assertThat(printed.object("explanation"))
                .hasToString(explain(code(CODE)).toString());
        printed.remove("explanation");
        assertThat(printed)
                .hasToString(
                        service.admin().get("/admin/ceremonies/" + CODE).json().toString());
        assertThat(run.out()).containsPattern("\"tookMs\":\\d+\\.\\d");
    }

    @Test
    void a_code_that_many_attempts_share_is_explained() {
        String path = "/admin/users/" + ada.userId().replace(" ", "%20");
        service.admin().post(path + "/lock").expect(204); // the last step refuses
        for (int i = 0; i < 40; i++) {
            String trace = TRACE.substring(0, 30) + (10 + i / 2);
            Web traced = service.web().with("traceparent", "00-" + trace + "-0123456789abcdef-01");
            String response = ada.browser().get(traced.get(Person.LOGIN_OPTIONS).body());
            traced.post(Person.LOGIN_FINISH, response).expect(401);
        }

        CliRun run = command("--code", CODE, "--url", service.web().uri("/").toString());

        assertThat(service.admin().get("/admin/ceremonies/" + CODE).body()).hasSizeGreaterThan(JSON_LIMIT);
        assertThat(run.out()).as(run.err()).contains("Earlier with this code: ", "One step refuses it.");
    }

    @Test
    void the_command_reports_why_nothing_can_be_explained() {
        String here = service.web().uri("/").toString();

        assertThat(command("--code", "ZZ-ZZZ", "--url", here).err()).contains("There is no ceremony with this code");
        assertThat(command("--code", CODE, "--url", "http://login.example").err())
                .contains("must be https unless it is on this machine");
        assertThat(command("--code", CODE, "--url", "http://localhost:1").err())
                .contains("no service listens at http://localhost:1");
        assertThat(command("--code", CODE, "--user", "ada").status()).isEqualTo(2);
        assertThat(command().status()).isEqualTo(2);
        CliRun stranger =
                CliRun.of(Map.of("ADMIN_TOKEN", "another admin token"), "explain", "--code", CODE, "--url", here);
        assertThat(stranger.err()).contains("the service requires an operator: set ADMIN_TOKEN");
    }

    @Test
    void the_command_without_a_url_uses_the_service_of_its_environment(@TempDir Path files) throws Exception {
        Map<String, String> variables = new HashMap<>(
                Map.of("HOST", "127.0.0.2", "RP_ORIGIN", "https://localhost", "ADMIN_TOKEN", Service.ADMIN_TOKEN));
        variables.putAll(tls(files, "one"));
        String[] pairs = variables.entrySet().stream()
                .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                .toArray(String[]::new);
        try (Service other = Service.on(TestDatabase.SQLITE, pairs)) {
            variables.put("PORT", Integer.toString(other.web().uri("/").getPort()));
            assertThat(CliRun.of(variables, "explain", "--code", "ZZ-ZZZ").err())
                    .contains("There is no ceremony with this code");

            variables.putAll(tls(files, "another"));
            assertThat(CliRun.of(variables, "explain", "--code", "ZZ-ZZZ").err())
                    .contains("the certificate is not this service's own");
        }
    }

    /** A certificate for another name than the address. */
    private static Map<String, String> tls(Path files, String name) throws IOException {
        ServerIdentity identity = ServerIdentity.selfSigned(
                "login.example.org",
                Instant.now().minusSeconds(60),
                Instant.now().plusSeconds(3_600));
        return Map.of(
                "TLS_CERTIFICATE",
                Files.writeString(files.resolve(name + ".pem"), identity.certificatePem())
                        .toString(),
                "TLS_KEY",
                Files.writeString(files.resolve(name + ".key"), identity.keyPem())
                        .toString());
    }

    private CliRun command(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "explain";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return CliRun.of(Map.of("ADMIN_TOKEN", Service.ADMIN_TOKEN), all);
    }

    /** Sends this browser's login response under the known trace. */
    private TestResponse refuse(SoftBrowser browser) {
        Web traced = service.web().with("traceparent", "00-" + TRACE + "-0123456789abcdef-01");
        String options =
                traced.get(Person.LOGIN_OPTIONS + Web.user(ada.userId())).body();
        return traced.post(Person.LOGIN_FINISH + Web.user(ada.userId()), browser.get(options))
                .expect(401);
    }

    private JsonObject explain(JsonObject question) {
        return service.admin().post(EXPLAIN, question.toString()).expect(200).json();
    }

    private static JsonObject pasted(String response) {
        return new JsonObject().put("response", response);
    }

    private static JsonObject code(String code) {
        return new JsonObject().put("code", code);
    }

    private static JsonObject step(JsonObject explained, String code) {
        return explained.objects("steps").stream()
                .filter(step -> step.string("step").equals(code))
                .findFirst()
                .orElseThrow();
    }

    private static String states(JsonObject explained, String code) {
        return step(explained, code).string("state");
    }

    private static List<String> codes(JsonObject explained) {
        return explained.objects("steps").stream()
                .map(step -> step.string("step"))
                .toList();
    }

    /** The steps that the service checked for a response, in order of first appearance. */
    private List<String> judged(TestResponse response) {
        List<JsonObject> events = service.admin()
                .get("/console/api/ceremonies?find=" + response.header("X-Correlation-ID"))
                .json()
                .objects("ceremonies")
                .get(0)
                .objects("events");
        List<String> steps = events.get(events.size() - 1).objects("steps").stream()
                .map(step -> step.string("step"))
                .distinct()
                .toList();
        assertThat(steps).contains(Step.USER_PRESENT.code());
        return steps;
    }

    private long signCount() {
        return service.withSql(sql -> sql.query(
                        "SELECT sign_count FROM passkey_credential WHERE credential_id = ?",
                        row -> row.getLong(1),
                        ada.credentialId()))
                .get(0);
    }
}
