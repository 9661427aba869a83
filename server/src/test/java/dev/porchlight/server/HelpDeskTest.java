// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.SupportCode;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a help desk learns about links and recovery codes that users have, and about failures that users add to. */
class HelpDeskTest {
    private static final String TRACE = "3f0c5be2aa914d7786c1d2e4f60a7b95";
    private static final String RECOVERY = "/auth/recovery";

    private Service service;
    private Person ada;
    private Web traced;

    @BeforeEach
    void start() {
        service = Service.on(TestDatabase.SQLITE);
        ada = service.person("ada", SoftAuthenticator.securityKey()).enroll();
        traced = service.web().with("traceparent", "00-" + TRACE + "-0123456789abcdef-01");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_database_responds_only_if_it_did_in_this_search() {
        report("unavailable", "");
        service.withSql(sql -> sql.update("ALTER TABLE porchlight_failed_ceremony RENAME TO away"));

        JsonObject response = search();
        assertThat(response.get("complete")).isEqualTo(false);
        assertThat(advice()).isEqualTo("Check the health of the service and its database.");

        service.withSql(sql -> sql.update("ALTER TABLE away RENAME TO porchlight_failed_ceremony"));
        assertThat(search().get("complete")).isEqualTo(true);
        assertThat(advice()).startsWith("The database responds now");
    }

    @Test
    void an_explanation_without_facts_from_the_database_is_incomplete() {
        report("blocked", challenge("ada"));
        service.withSql(sql -> sql.update("ALTER TABLE porchlight_audit RENAME TO away"));

        assertThat(search().get("complete")).isEqualTo(false);
        assertThat(cause().string("code")).isEqualTo("blocked");
        assertThat(command()).contains("The database did not respond, so this may be incomplete.");

        service.withSql(sql -> sql.update("ALTER TABLE away RENAME TO porchlight_audit"));
        assertThat(search().get("complete")).isEqualTo(true);
        assertThat(command()).doesNotContain("incomplete");
    }

    @Test
    void a_link_issued_during_a_lock_is_explained_before_and_after_unlocking() {
        admin("/admin/users/ada/lock");
        String link = link();
        open(link).expectProblem(401, "enrollment_ended");
        assertThat(cause().string("what")).isEqualTo("The enrollment link did not work because the user was locked.");

        pass();
        admin("/admin/users/ada/unlock");

        assertThat(cause().string("what")).endsWith("The lock has ended since.");
        assertThat(advice()).contains("The link works now");
        assertThat(fact("user_unlocked").string("by")).startsWith("admin-token:");
        open(link).expect(200);
    }

    @Test
    void a_link_that_a_lock_ended_names_what_ended_it() {
        String link = link();
        admin("/admin/users/ada/lock");
        admin("/admin/users/ada/unlock");
        open(link).expectProblem(401, "enrollment_ended");

        assertThat(cause().string("code")).isEqualTo("enrollment_locked");
        assertThat(advice()).contains("issue a new one");
        assertThat(fact("enrollment_ended").string("text")).isEqualTo("user_locked");
        assertThat(command()).contains("  enrollment ended: user locked, ", " by admin-token:");
    }

    @Test
    void a_link_for_another_device_is_explained_as_one_that_the_user_created() {
        String expired = deviceLink();
        service.clock().advance(Duration.ofMinutes(11));
        open(expired).expectProblem(401, "enrollment_device_ended");

        assertThat(cause().string("code")).isEqualTo("enrollment_expired");
        assertThat(advice()).startsWith("The user creates a new one there").doesNotContain("lifetime");
        assertThat(command())
                .contains("A link for another device of ada, refused at ", "The user created it on their account page.")
                .containsPattern("  device link issued: \\S+ by the user\n");

        ada.login().expect(200);
        String damaged = deviceLink();
        open(damaged.substring(0, 30)).expectProblem(401, "enrollment_device_damaged");
        assertThat(advice()).contains("QR code");
        String ended = deviceLink();
        ada.bySession().post("/auth/logout?everywhere=true").expect(204);
        open(ended).expectProblem(401, "enrollment_device_ended");
        assertThat(cause().string("what")).startsWith("The link for another device was ended before it was used.");
        assertThat(fact("enrollment_ended").string("text")).isEqualTo("logout_everywhere");
        assertThat(command()).containsPattern("  enrollment ended: logout everywhere, \\S+ by the user\n");
    }

    @Test
    void a_prompt_that_did_not_respond_stays_the_cause_when_the_user_cancels_it() {
        String challenge = challenge("ada");
        report("waiting", challenge);
        report("aborted", challenge);
        assertWaited();

        String database = service.databaseUrl();
        service.close();
        service = Service.at(database);
        assertWaited();
    }

    private void assertWaited() {
        assertThat(find().string("state")).isEqualTo("abandoned");
        assertThat(cause().string("code")).isEqualTo("waiting");
        assertThat(command()).contains("A sign-in of ada, abandoned at ", "After 20 seconds there was no response");
    }

    @Test
    void a_report_leads_to_the_log_by_its_trace() {
        report("refused", challenge("ada"));

        assertThat(advice()).contains("under the trace id");
        assertThat(command()).contains("; trace id " + TRACE).doesNotContain("correlation id");
    }

    @Test
    void a_refused_request_of_the_account_page_names_the_refusal() {
        String report = new JsonObject()
                .put("ceremony", "account")
                .put("outcome", "refused")
                .put("error", "email_link_ended")
                .toString();
        traced.post("/auth/passkey/report", report).expect(204);

        assertThat(cause().string("what")).isEqualTo("The service refused a request of the account page.");
        assertThat(cause().string("found")).isEqualTo("email_link_ended");
        assertThat(command())
                .contains(
                        "A change on the account page, reported by the browser at ", "  found:    email_link_ended\n");
    }

    @Test
    void a_recovery_code_that_was_used_says_when_and_how_many_are_left() {
        String code = code();
        recover("ada", code).expect(201);
        Instant usedAt = service.clock().instant();
        pass();
        recover("ada", code).expectProblem(401, "recovery_refused");

        assertThat(find().string("ceremony")).isEqualTo("recovery");
        assertThat(cause().string("code")).isEqualTo("recovery_code_used");
        assertThat(Instant.parse(cause().string("found").substring("used at ".length())))
                .isBetween(usedAt.minusSeconds(60), usedAt);
        assertThat(fact("recovery_codes_left").string("text")).isEqualTo("9");
        assertThat(command()).contains("A recovery code of ada, refused at ", "  recovery codes left: 9\n");
    }

    @Test
    void a_recovery_that_took_too_long_is_explained_as_one() {
        String token = recover("ada", code()).expect(201).field("token");
        service.clock().advance(Duration.ofMinutes(11));
        open(token).expectProblem(401, "enrollment_recovery_ended");

        assertThat(cause().string("what")).startsWith("The user typed a valid recovery code");
        assertThat(advice()).contains("another recovery code");
        assertThat(command())
                .contains("A recovery code of ada, refused at ")
                .containsPattern("  recovery code used: \\S+ by the user\n");
    }

    @Test
    void a_recovery_with_a_mistyped_name_or_half_a_code_says_so() {
        String code = code();
        recover("adda", code).expectProblem(401, "recovery_refused");
        assertThat(cause().string("code")).isEqualTo("recovery_unknown_user");
        assertThat(fact("closest_names").string("text")).isEqualTo("ada");

        recover("ada", code.substring(0, 11)).expectProblem(401, "recovery_refused");
        assertThat(cause().string("code")).isEqualTo("recovery_incomplete");
        assertThat(cause().string("found")).isEqualTo("length 10 instead of 25");

        recover("ada\u200b", code).expectProblem(400, "invalid_user_id");
        assertThat(cause().string("code")).isEqualTo("recovery_unknown_user");
        assertThat(cause().string("found")).contains("control, format");
    }

    @Test
    void an_invalid_name_at_sign_up_says_why() {
        traced.post("/auth/signup", "{\"userId\":\"porchlight:x\"}").expectProblem(400, "invalid_user_id");

        assertThat(cause().string("what")).contains("tried to sign up");
        assertThat(cause().string("found")).contains("user ids that begin with porchlight: are reserved");
        traced.get(Person.LOGIN_OPTIONS + Web.user("ada\u200b")).expectProblem(400, "invalid_user_id");
        assertThat(cause().string("what")).doesNotContain("sign up");
        assertThat(cause().string("found")).contains("control, format");
    }

    @Test
    void an_unknown_client_is_shown_with_the_closest_one_and_its_redirect_uri() {
        service.admin()
                .post("/admin/clients", "{\"clientId\":\"wiki\",\"redirectUris\":[\"https://wiki.example/back\"]}")
                .expect(201);
        traced.get("/oauth2/authorize?client_id=wikki&redirect_uri=https://wiki.example/back")
                .expect(400);

        assertThat(cause().string("found")).isEqualTo("wikki, with the redirect URI https://wiki.example/back");
        assertThat(fact("closest_client").string("text")).isEqualTo("wiki");
        traced.get("/oauth2/authorize?client_id=wiki&redirect_uri=https://wiki.example/bak")
                .expect(400);
        assertThat(advice()).contains("Register the application", "correct the redirect URI in the application");
        assertThat(command()).contains("A request of the application wiki, refused at ");
        traced.get("/oauth2/authorize").expect(400);
        assertThat(command()).contains("A request of an application, refused at ");
    }

    private void pass() {
        service.clock().advance(Duration.ofSeconds(2));
    }

    private void admin(String path) {
        service.admin().post(path).expect(204);
    }

    private String link() {
        return service.admin()
                .post("/admin/enrollments", "{\"userId\":\"ada\",\"ttlSeconds\":600}")
                .expect(201)
                .field("token");
    }

    private String deviceLink() {
        return ada.bySession()
                .post("/auth/passkey/devices")
                .expect(201)
                .field("url")
                .replaceFirst(".*#enroll=", "");
    }

    private TestResponse open(String token) {
        return traced.bearer(token).get(Person.REGISTER_OPTIONS);
    }

    private String code() {
        return ada.bySession()
                .post(RECOVERY + "/codes")
                .expect(201)
                .body()
                .replaceFirst("(?s)[^0-9A-Z]*([-0-9A-Z]*).*", "$1");
    }

    private TestResponse recover(String userId, String code) {
        return traced.post(
                RECOVERY,
                new JsonObject().put("userId", userId).put("code", code).toString());
    }

    private String challenge(String userId) {
        return traced.get(Person.LOGIN_OPTIONS + Web.user(userId)).expect(200).field("challenge");
    }

    private void report(String outcome, String challenge) {
        JsonObject report = new JsonObject().put("ceremony", "login").put("outcome", outcome);
        String body = (challenge.isEmpty() ? report : report.put("challenge", challenge)).toString();
        traced.post("/auth/passkey/report", body).expect(204);
    }

    private JsonObject search() {
        return service.admin()
                .get("/admin/ceremonies/" + SupportCode.of(TRACE))
                .expect(200)
                .json();
    }

    private JsonObject find() {
        return search().objects("ceremonies").get(0);
    }

    private JsonObject cause() {
        return find().object("cause");
    }

    private String advice() {
        return cause().string("advice");
    }

    private JsonObject fact(String name) {
        JsonObject found = find();
        return found.objects("facts").stream()
                .filter(fact -> fact.string("name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(found.toString()));
    }

    private String command() {
        return CliRun.of(
                        Map.of("ADMIN_TOKEN", Service.ADMIN_TOKEN),
                        "explain",
                        "--code",
                        SupportCode.of(TRACE),
                        "--url",
                        service.web().uri("/").toString())
                .out();
    }
}
