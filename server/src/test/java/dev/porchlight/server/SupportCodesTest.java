// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an operator learns from the code that a page showed, by the console, the API and the command line. */
class SupportCodesTest extends FailedRequests {
    @Test
    void the_console_the_api_and_the_command_find_the_same() {
        service.admin()
                .post("/admin/clients", "{\"clientId\":\"app\",\"redirectUris\":[\"https://app.example/callback\"]}")
                .expect(201);
        String code = traced.get("/oauth2/authorize?client_id=unknown")
                .expect(400)
                .body()
                .replaceAll("(?s).*<code>([^<]+)</code>.*", "$1");

        JsonObject found = find(code);

        assertThat(found.string("ceremony")).isEqualTo("openid");
        assertThat(found.object("cause").string("code")).isEqualTo("unknown_client");
        assertThat(found.object("cause").string("found")).isEqualTo("unknown");
        assertThat(service.admin()
                        .get("/console/api/ceremonies?find=" + code)
                        .json()
                        .objects("ceremonies")
                        .get(0))
                .hasToString(found.toString());
        CliRun run = command(code);
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(command("ZZ-ZZZ").status()).isEqualTo(1);
        assertThat(run.out())
                .contains("A request of the application unknown, refused at ", ": unknown_client; correlation id ")
                .contains("./porchlight clients add");
    }

    @Test
    void what_a_stranger_sent_cannot_control_the_terminal() {
        traced.get(Person.LOGIN_OPTIONS + Web.user("\u001b[2Jada")).expectProblem(400, "invalid_user_id");

        assertThat(find().string("user")).isEqualTo("\u001b[2Jada");
        assertThat(command().out())
                .contains("A sign-in of ?[2Jada, refused at ")
                .doesNotContain("\u001b");
    }

    @Test
    void a_prompt_that_never_opened_is_found_after_a_restart_and_for_a_day() {
        report("blocked", "", ada.userId());
        String database = service.databaseUrl();
        service.close();
        service = Service.at(database);

        JsonObject found = find();
        assertThat(found.string("user")).isEqualTo(ada.userId());
        assertThat(found.string("state")).isEqualTo("abandoned");
        assertThat(found.object("cause").string("code")).isEqualTo("blocked");
        assertThat(command().out()).contains("A sign-in of " + ada.userId() + ", abandoned at ", "passkey window");

        service.clock().advance(CeremonyHistory.TIME);
        service.admin().get(ROUTE + CODE).expectProblem(404, "not_found");
    }

    @Test
    void a_prompt_without_a_result_is_found_until_it_succeeds() {
        JsonObject options = options(ada.userId());
        report("login", "waiting", "", options.string("challenge"), ada.userId());
        String database = service.databaseUrl();
        service.close();
        service = Service.at(database);
        trace();

        JsonObject found = find();
        assertThat(found.string("user")).isEqualTo(ada.userId());
        assertThat(found.string("state")).isEqualTo("pending");
        assertThat(found.object("cause").string("code")).isEqualTo("waiting");
        assertThat(command().out())
                .contains("A sign-in of " + ada.userId() + ", reported by the browser at ", "did not open");

        report("login", "waiting", "", options.string("challenge"), ada.userId());
        String response = ada.browser().get(options.toString());
        traced.post(Person.LOGIN_FINISH + Web.user(ada.userId()), response).expect(200);
        assertThat(find().string("state")).isEqualTo("succeeded");
        assertThat(find().has("cause")).isFalse();
    }

    @Test
    void the_result_after_a_report_of_a_waiting_prompt_counts() {
        String challenge = options(ada.userId()).string("challenge");
        report("login", "waiting", "", challenge, ada.userId());
        assertThat(outcomes()).doesNotContain("passkey_browser_outcomes_total{");
        report("login", "dismissed", "NotAllowedError", challenge, ada.userId());

        assertThat(find().string("state")).isEqualTo("abandoned");
        assertThat(find().object("cause").string("code")).isEqualTo("dismissed");
        assertThat(outcomes())
                .contains("passkey_browser_outcomes_total{ceremony=\"login\",outcome=\"dismissed\"} 1")
                .contains("passkey_browser_reports_unverified_total 0");
    }

    private String outcomes() {
        return service.admin().get("/metrics").expect(200).body();
    }

    @Test
    void a_taken_sign_up_name_is_not_shown_as_an_attempt_of_its_owner() {
        traced.post("/auth/signup", new JsonObject().put("userId", ada.userId()).toString())
                .expectProblem(409, "user_exists");
        traced.post("/auth/passkey/report", "{\"ceremony\":\"registration\",\"outcome\":\"exists\"}")
                .expect(204);

        JsonObject found = find();
        assertThat(found.string("state")).isEqualTo("refused");
        assertThat(found.string("user")).isEmpty();
        assertThat(found.object("cause").string("code")).isEqualTo("exists");
        assertThat(fact(found, "typed_name").string("text")).isEqualTo(ada.userId());
        assertThat(command().out())
                .contains("A new passkey, refused at ", "name is taken.", "  typed name: " + ada.userId() + "\n");
    }

    @Test
    void a_name_that_cannot_be_used_is_shown_to_the_operator() {
        for (String path : List.of(Person.LOGIN_OPTIONS + Web.user("ada\u0001"), "/auth/signup")) {
            TestResponse refused = path.equals("/auth/signup")
                    ? traced.post(
                            path, new JsonObject().put("userId", "ada\u0001").toString())
                    : traced.get(path);
            refused.expectProblem(400, "invalid_user_id");

            assertThat(find().string("user")).isEqualTo("ada\u0001");
            assertThat(find().string("state")).isEqualTo("refused");
            assertThat(find().object("cause").string("code")).isEqualTo("invalid_user_id");
            assertThat(command().out()).contains(" of ada?, refused at ", "cannot be a user name");
        }
    }

    @Test
    void a_blocked_prompt_names_the_browser_and_what_else_to_try() {
        traced = traced.with("User-Agent", "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0");
        report("blocked", "NotAllowedError", ada.userId());

        assertThat(command().out())
                .contains("another browser, a window that is not private, or their phone")
                .contains("  browser:  Firefox on Windows\n");
    }

    @Test
    void a_page_at_an_address_that_is_not_configured_reports_it() {
        String token = "8c1f5d7be0a94c36b2d7f9a1e3c58d40";
        try (Service remote = Service.on(
                TestDatabase.SQLITE,
                "SESSION_SECRET",
                Service.RANDOM_SECRET,
                "ADMIN_TOKEN",
                token,
                "RP_ID",
                "example.com",
                "RP_ORIGIN",
                "https://example.com",
                "SIGNUP",
                "open")) {
            Web page = remote.web().with("traceparent", TRACE_PARENT).with("Sec-Fetch-Site", "same-origin");
            String here = remote.web().uri("/").toString().replaceFirst("/$", "");
            String report = new JsonObject()
                    .put("ceremony", "login")
                    .put("outcome", "config")
                    .put("origin", here)
                    .toString();
            page.with("Origin", "https://evil.example")
                    .post("/auth/passkey/report", report)
                    .expectProblem(403, "cross_site");
            page.with("Origin", here)
                    .post("/auth/signup", "{\"userId\":\"ada\"}")
                    .expectProblem(403, "cross_site");
            page.with("Origin", here).post("/auth/passkey/report", report).expect(204);

            JsonObject found = remote.web()
                    .bearer(token)
                    .get(ROUTE + CODE)
                    .expect(200)
                    .json()
                    .objects("ceremonies")
                    .get(0);
            JsonObject cause = found.object("cause");
            assertThat(cause.string("code")).isEqualTo("wrong_address");
            assertThat(cause.string("what")).doesNotContain("browser", "RP ID");
            assertThat(cause.string("expected")).isEqualTo("https://example.com");
            assertThat(cause.string("found")).isEqualTo(here);
            assertThat(found.string("state")).isEqualTo("abandoned");
        }
    }

    @Test
    void the_route_requires_an_operator_and_finds_only_identifiers() {
        report("dismissed", "", ada.userId());

        service.web().get(ROUTE + CODE).expectProblem(401, "unauthenticated");
        ada.byToken().get(ROUTE + CODE).expectProblem(401, "unauthenticated");
        service.admin().get(ROUTE + ada.userId()).expectProblem(404, "not_found");
        assertThat(service.admin()
                        .get(ROUTE + "ZZ-ZZZ")
                        .expectProblem(404, "not_found")
                        .body())
                .contains("it may be mistyped");
        assertThat(service.admin()
                        .get(ROUTE + "ZZ-ZZ")
                        .expectProblem(404, "not_found")
                        .body())
                .contains("not a support code", "K7-4QX");
        service.admin().get(ROUTE + CODE.replace("-", "%20%E2%80%93%20")).expect(200);
        service.admin()
                .get(ROUTE + CODE.replace("-", "%20").toLowerCase(Locale.ROOT))
                .expect(200);
        service.admin().get(ROUTE + TRACE).expect(200);
    }

    @Test
    void a_taken_name_is_named_to_the_operator_as_it_is_registered() {
        String refused = traced.post("/auth/signup", "{\"userId\":\"ADA\"}")
                .expectProblem(409, "user_exists")
                .body();

        assertThat(refused).doesNotContain("\"ada\"", " ada");
        assertThat(find().object("cause").string("code")).isEqualTo("exists");
        assertThat(fact(find(), "registered_name").string("text")).isEqualTo("ada");
        assertThat(command().out()).contains("  registered name: ada\n");
    }

    @Test
    void a_taken_name_of_a_user_who_was_only_invited_says_so() {
        service.admin().post("/admin/enrollments", "{\"userId\":\"sam\"}").expect(201);
        traced.post("/auth/signup", "{\"userId\":\"sam\"}").expectProblem(409, "user_exists");

        assertThat(find().object("cause").string("code")).isEqualTo("invited");
        assertThat(fact(find(), "enrollment_issued").string("by")).startsWith("admin-token:");
        assertThat(command().out()).contains("has a valid enrollment link, and opens that one");
    }

    @Test
    void a_mistyped_name_is_named_to_the_operator_with_the_closest_ones() {
        service.person("grace", ada.browser().authenticator()).enroll();
        service.person("grace@example.com", ada.browser().authenticator()).enroll();
        service.person("margret", ada.browser().authenticator()).enroll();
        for (String typed : List.of("garce", "Grace", "gracee@example.com")) {
            report("dismissed", "", typed);

            JsonObject found = find();

            assertThat(found.string("user")).isEqualTo(typed);
            assertThat(found.object("cause").string("code")).isEqualTo("unknown_user");
            assertThat(fact(found, "closest_names").string("text"))
                    .contains("grace")
                    .doesNotContain("margret");
            assertThat(command().out())
                    .contains("There is no user with this name.", "  closest names: grace")
                    .doesNotContain("service works");
        }
    }

    @Test
    void a_mistyped_name_is_named_while_its_prompt_still_waits() {
        String challenge = options("adda").string("challenge");
        report("login", "waiting", "", challenge, "adda");

        assertThat(find().object("cause").string("code")).isEqualTo("unknown_user");
    }

    @Test
    void the_same_name_in_another_case_is_the_closest() {
        service.person("hedy", ada.browser().authenticator()).enroll();
        service.person("hedy2", ada.browser().authenticator()).enroll();
        report("dismissed", "", "HEDY2");

        assertThat(fact(find(), "closest_names").string("text")).startsWith("hedy2, hedy");
    }

    @Test
    void a_visitor_cannot_distinguish_a_name_that_does_not_exist() {
        JsonObject known = options(ada.userId());
        JsonObject unknown = options("no-one");

        assertThat(unknown.names()).isEqualTo(known.names());
        String response = ada.browser().get(Person.forAnyPasskey(unknown.toString()));
        traced.post(Person.LOGIN_FINISH + Web.user("no-one"), response).expectProblem(401, "authentication_failed");
        assertThat(find().object("cause").string("code")).isEqualTo("unknown_user");
    }

    @Test
    void a_removed_passkey_names_the_user_the_time_and_the_operator() {
        String options = traced.get(Person.LOGIN_OPTIONS).body();
        String response = ada.browser().get(options);
        service.admin()
                .delete("/admin/users/" + ada.userId() + "/passkeys/" + ada.credentialId() + "?force=true")
                .expect(204);
        Instant removed = service.clock().instant();
        traced.post(Person.LOGIN_FINISH, response).expect(401);

        JsonObject found = find();

        assertThat(found.string("user")).isEqualTo(ada.userId());
        assertThat(found.object("cause").string("code")).isEqualTo("passkey_removed");
        assertThat(found.object("cause").toString()).contains("\"settings\":[]");
        long at = (Long) fact(found, "passkey_removed").get("at");
        assertThat(Instant.ofEpochMilli(at)).isBefore(removed);
        assertThat(fact(found, "passkey_removed").string("by")).startsWith("admin-token:");
        assertThat(command().out())
                .contains(
                        "A sign-in of " + ada.userId() + ", refused at ",
                        "  passkey removed: " + Instant.ofEpochMilli(at) + " by admin-token:")
                .doesNotContain("DATABASE_URL");
    }

    @Test
    void a_passkey_that_the_user_removed_says_so() {
        service.person("ada", SoftAuthenticator.securityKey()).register(link()).expect(201);
        String response = ada.browser().get(traced.get(Person.LOGIN_OPTIONS).body());
        ada.byToken().delete(Person.CREDENTIALS + '/' + ada.credentialId()).expect(200);
        traced.post(Person.LOGIN_FINISH, response).expect(401);

        assertThat(fact(find(), "passkey_removed").string("by")).isEmpty();
        assertThat(command().out()).containsPattern("  passkey removed: \\S+ by the user\n");
    }

    @Test
    void a_sign_up_while_it_is_closed_is_not_shown_as_an_attempt_of_the_user_with_the_typed_name() {
        String database = service.databaseUrl();
        service.close();
        service = Service.at(database, "SIGNUP", "closed");
        trace();
        traced.post("/auth/signup", "{\"userId\":\"ada\"}").expectProblem(403, "signup_closed");

        assertThat(find().object("cause").string("code")).isEqualTo("closed");
        assertThat(find().string("user")).isEmpty();
        assertThat(fact(find(), "typed_name").string("text")).isEqualTo("ada");
    }

    @Test
    void a_lock_shows_as_a_lock() {
        service.admin().post("/admin/users/" + ada.userId() + "/lock").expect(204);
        String response = ada.browser().get(traced.get(Person.LOGIN_OPTIONS).body());
        traced.post(Person.LOGIN_FINISH, response).expect(401);

        JsonObject found = find();

        assertThat(found.object("cause").string("code")).isEqualTo("user_locked");
        assertThat(fact(found, "user_locked").string("by")).startsWith("admin-token:");
        assertThat(command().out())
                .contains("  user locked: ", "  REFUSED      user_locked: An operator has locked this user.")
                .contains("               expected: a user who is not locked\n");
        service.admin().post("/admin/users/" + ada.userId() + "/unlock").expect(204);
        assertThat(command().out())
                .contains("checked again now, it passes", "The lock has ended since. The user can try again.")
                .doesNotContain("before you unlock");
        assertThat(find().object("cause").string("code")).isEqualTo("user_locked");
        assertThat(fact(find(), "user_unlocked").string("by")).startsWith("admin-token:");
    }

    @Test
    void a_response_that_was_sent_twice_blames_no_setting() {
        String response = ada.assertion();
        ada.finishLogin(response).expect(200);
        traced.post(Person.LOGIN_FINISH + Web.user(ada.userId()), response).expect(401);

        assertThat(find().object("cause").string("code")).isEqualTo("challenge_used");
        assertThat(find().object("cause").toString()).contains("\"settings\":[]");
        assertThat(command().out())
                .contains("  REFUSED      challenge_not_found: The response was sent twice", "found:    used before")
                .doesNotContain("DATABASE_URL", "checked again now");
    }

    @Test
    void a_report_to_another_instance_names_the_user() {
        String challenge = options(ada.userId()).string("challenge");
        String database = service.databaseUrl();
        service.close();
        service = Service.at(database);
        trace();
        report("login", "blocked", "NotAllowedError", challenge, ada.userId());

        JsonObject found = find();

        assertThat(found.string("user")).isEqualTo(ada.userId());
        assertThat(found.string("state")).isEqualTo("abandoned");
        assertThat(found.object("cause").string("found")).isEqualTo("NotAllowedError");
        assertThat(command().out()).contains("A sign-in of " + ada.userId() + ", abandoned at ");
    }

    @Test
    void a_report_without_options_of_this_service_is_marked() {
        report("login", "refused", "invalid_user_id", "AAAA", ada.userId());

        assertThat(find().string("user")).isEmpty();
        assertThat(command().out()).contains("A sign-in, reported by the browser at ", "  found:    invalid_user_id\n");
    }

    @Test
    void a_browser_that_refuses_the_page_reports_what_the_page_used() {
        String challenge = options(ada.userId()).string("challenge");
        traced.post(
                        "/auth/passkey/report",
                        new JsonObject()
                                .put("ceremony", "login")
                                .put("outcome", "config")
                                .put("origin", "https://login.example")
                                .put("rpId", "localhost")
                                .put("challenge", challenge)
                                .put("userId", ada.userId())
                                .toString())
                .expect(204);

        assertThat(command().out())
                .contains("  found:    page https://login.example with RP ID localhost\n  settings: RP_ID, RP_ORIGIN");
    }

    @Test
    void a_dismissed_new_passkey_needs_no_enrollment_link() {
        String options = ada.byToken()
                .with("traceparent", TRACE_PARENT)
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .body();
        String challenge = JsonObject.parse(options).string("challenge");
        report("registration", "dismissed", "NotAllowedError", challenge, ada.userId());

        assertThat(find().object("cause").string("code")).isEqualTo("dismissed");
        assertThat(command().out())
                .contains("A new passkey of " + ada.userId(), "No passkey was created")
                .doesNotContain("enrollment link");
    }

    @Test
    void a_prompt_of_a_locked_user_shows_the_lock() {
        service.admin().post("/admin/users/" + ada.userId() + "/lock").expect(204);
        report("dismissed", "NotAllowedError", ada.userId());

        assertThat(find().object("cause").string("code")).isEqualTo("dismissed");
        assertThat(fact(find(), "user_locked").string("by")).startsWith("admin-token:");
    }

    @Test
    void a_prompt_of_a_user_without_a_passkey_says_so_and_who_removed_it() {
        service.admin()
                .delete("/admin/users/" + ada.userId() + "/passkeys/" + ada.credentialId() + "?force=true")
                .expect(204);
        report("dismissed", "NotAllowedError", ada.userId());

        assertThat(find().object("cause").string("code")).isEqualTo("no_passkey");
        assertThat(fact(find(), "passkey_removed").string("by")).startsWith("admin-token:");
        assertThat(command().out()).contains("send an enrollment link", "  passkey removed: ");
    }

    @Test
    void a_prompt_of_a_user_with_another_passkey_says_which_was_removed_recently() {
        service.person("ada", SoftAuthenticator.securityKey()).register(link()).expect(201);
        service.admin()
                .delete("/admin/users/" + ada.userId() + "/passkeys/" + ada.credentialId())
                .expect(204);
        report("dismissed", "NotAllowedError", ada.userId());

        assertThat(find().object("cause").string("code")).isEqualTo("dismissed");
        assertThat(fact(find(), "passkey_removed").string("by")).startsWith("admin-token:");

        service.clock().advance(Duration.ofDays(31));
        report("dismissed", "NotAllowedError", ada.userId());
        assertThat(factNames(find())).doesNotContain("passkey_removed");
    }

    @Test
    void a_passkey_of_another_user_names_its_owner() {
        Person grace = service.person("grace", SoftAuthenticator.securityKey()).enroll();
        String response =
                ada.browser().get(Person.forAnyPasskey(options(grace.userId()).toString()));
        traced.post(Person.LOGIN_FINISH + Web.user(grace.userId()), response).expect(401);

        assertThat(find().string("user")).isEqualTo(grace.userId());
        assertThat(fact(find(), "passkey_owner").string("text")).isEqualTo(ada.userId());
        assertThat(command().out()).contains("  passkey owner: " + ada.userId() + "\n");
    }

    @Test
    void a_sign_in_since_the_refusal_does_not_look_like_a_cloned_passkey() {
        var elsewhere = new SoftBrowser("http://localhost:1234", ada.browser().authenticator());
        traced.post(
                        Person.LOGIN_FINISH,
                        elsewhere.get(traced.get(Person.LOGIN_OPTIONS).body()))
                .expect(401);
        service.clock().advance(Duration.ofMinutes(1));
        ada.login().expect(200);

        assertThat(command().out())
                .contains("  REFUSED      origin_mismatch: ", "  not checked  sign count: the passkey was used since")
                .doesNotContain("cloned")
                .endsWith("One step refuses it.\n");
    }

    @Test
    void an_attempt_without_a_response_is_described() {
        options(ada.userId());

        CliRun run = command();

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("A sign-in of " + ada.userId() + ", pending at ", "No response has arrived.");
    }

    @Test
    void an_expired_link_names_its_user_and_operator_also_after_a_restart() {
        String token = link();
        service.clock().advance(Duration.ofDays(3));
        open(token).expectProblem(401, "enrollment_expired");
        String database = service.databaseUrl();
        Instant now = service.clock().instant();
        service.close();
        service = Service.at(database);
        service.clock().advance(Duration.between(service.clock().instant(), now));

        JsonObject found = find();

        assertThat(found.string("ceremony")).isEqualTo("enrollment");
        assertThat(found.string("user")).isEqualTo(ada.userId());
        assertThat(found.object("cause").string("code")).isEqualTo("enrollment_expired");
        assertThat(fact(found, "enrollment_issued").string("by")).startsWith("admin-token:");
        assertThat(command().out())
                .contains("An enrollment link of " + ada.userId() + ", refused at ", "The enrollment link has expired.")
                .contains("  enrollment issued: ", " by admin-token:", "  enrollment expired: ");
    }

    @Test
    void a_used_link_says_when_it_was_used() {
        String token = link();
        service.person("ada", SoftAuthenticator.securityKey()).register(token).expect(201);
        open(token).expectProblem(401, "enrollment_used");

        assertThat(find().string("user")).isEqualTo(ada.userId());
        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_used");
        assertThat(fact(find(), "enrollment_used").string("by")).isEmpty();
    }

    @Test
    void a_used_link_of_a_user_who_cannot_sign_in_anymore_says_why() {
        String token = link();
        Person enrolled = service.person("ada", SoftAuthenticator.securityKey());
        enrolled.register(token).expect(201);
        service.clock().advance(Duration.ofMinutes(1));
        service.admin().post("/admin/users/" + ada.userId() + "/lock").expect(204);
        open(token).expectProblem(401, "enrollment_used");
        assertThat(fact(find(), "user_locked").string("by")).startsWith("admin-token:");
        assertThat(find().object("cause").string("advice")).doesNotContain("someone else");

        service.admin().post("/admin/users/" + ada.userId() + "/unlock").expect(204);
        assertThat(find().object("cause").string("advice")).contains("someone else");
        service.admin()
                .delete("/admin/users/" + ada.userId() + "/passkeys/" + ada.credentialId())
                .expect(204);
        open(token).expectProblem(401, "enrollment_used");
        assertThat(fact(find(), "passkey_removed").string("by")).startsWith("admin-token:");
        assertThat(find().object("cause").string("advice")).doesNotContain("someone else");
    }

    @Test
    void a_link_that_a_lock_or_a_sign_out_ended_says_so() {
        String ended = link();
        service.admin().post("/admin/users/" + ada.userId() + "/lock").expect(204);
        open(ended).expectProblem(401, "enrollment_ended");
        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_locked");
        assertThat(fact(find(), "enrollment_ended").string("by")).startsWith("admin-token:");

        open(link()).expectProblem(401, "enrollment_ended");
        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_locked");
        assertThat(find().object("cause").string("what")).doesNotContain("ended");
        assertThat(fact(find(), "user_locked").string("by")).startsWith("admin-token:");

        service.admin().post("/admin/users/" + ada.userId() + "/unlock").expect(204);
        String revoked = link();
        service.admin().post("/admin/users/" + ada.userId() + "/sign-out").expect(204);
        open(revoked).expectProblem(401, "enrollment_ended");
        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_revoked");
    }

    @Test
    void a_damaged_link_names_its_user_and_what_was_damaged() {
        String token = link();
        String changed = token.substring(0, 25) + (token.charAt(25) == 'A' ? 'B' : 'A') + token.substring(26);
        Map<String, String> damaged = Map.of(
                token.substring(0, 30),
                "length 23 instead of 43, wrong at the end",
                token + ").",
                "followed by \").\"",
                token + "%E2%80%9D and more",
                "followed by \"” and mo…\"",
                token + "%22",
                "followed by \"\"\"",
                token.substring(0, 15) + "%20" + token.substring(15),
                "\" \" inserted after 8 characters",
                token.substring(0, 40) + ").",
                "length 35 instead of 43, wrong at the end",
                token.toLowerCase(Locale.ROOT),
                "upper and lower case letters were changed",
                changed,
                "changed in the middle",
                token.substring(6),
                "length 44 instead of 43, wrong at the start",
                "enroll_" + token.substring(20),
                "length 30 instead of 43, wrong at the start");
        damaged = new HashMap<>(damaged);
        damaged.put(token.toUpperCase(Locale.ROOT), "upper and lower case letters were changed");
        damaged.forEach((given, found) -> {
            open(given).expectProblem(401, "enrollment_damaged");

            assertThat(find().string("user")).isEqualTo(ada.userId());
            assertThat(find().object("cause").string("code")).isEqualTo("enrollment_damaged");
            assertThat(find().object("cause").string("found")).isEqualTo(found);
            assertThat(fact(find(), "enrollment_issued").string("by")).startsWith("admin-token:");
        });
        open("enroll_" + "A".repeat(43)).expectProblem(401, "enrollment_ended");
        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_unknown");
        assertThat(factNames(find())).doesNotContain("enrollment_issued");
        for (String table : List.of("porchlight_sealed_entry", "porchlight_failed_ceremony")) {
            assertThat(service.rows(table).toString()).doesNotContain(token.substring(7), token.substring(7, 19));
        }
        assertThat(service.logs()).doesNotContain(token.substring(7));
        open(token).expect(200);
    }

    @Test
    void an_empty_link_is_damaged() {
        open("enroll_").expectProblem(401, "enrollment_damaged");

        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_damaged");
        assertThat(find().object("cause").string("found")).isEqualTo("length 0 instead of 43");
    }

    @Test
    void a_link_with_an_encoded_number_sign_leads_to_the_page() {
        Web browser = service.web().with("Accept", "text/html");

        assertThat(browser.get("/%23enroll=enroll_abc").expect(303).header("Location"))
                .isEqualTo("/#enroll=enroll_abc");
        browser.get("/%23other").expect(404);
        service.web().get("/%23enroll=enroll_abc").expectProblem(404, "not_found");
    }

    @Test
    void a_link_for_a_locked_user_says_so_when_it_is_issued() {
        assertThat(issue("ada", 60).json().get("locked")).isEqualTo(false);
        service.admin().post("/admin/users/" + ada.userId() + "/lock").expect(204);
        assertThat(issue("ada", 60).json().get("locked")).isEqualTo(true);
    }

    @Test
    void a_damaged_link_that_expired_since_does_not_still_work() {
        String token = issue("ada", 60).field("token");
        open(token + ").").expectProblem(401, "enrollment_damaged");
        assertThat(command().out()).contains("still works", "  enrollment valid until: ");
        service.clock().advance(Duration.ofMinutes(2));

        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_damaged");
        assertThat(command().out())
                .contains("has ended since. Issue a new one", "  enrollment expired: ")
                .doesNotContain("still works", "valid until");
    }

    @Test
    void the_command_says_what_was_damaged() {
        open(link() + ").").expectProblem(401, "enrollment_damaged");

        assertThat(command().out())
                .contains("An enrollment link of " + ada.userId() + ", refused at ", ": enrollment_damaged; ")
                .contains("The enrollment link was damaged on its way to the user.")
                .contains("  expected: enroll_ and 43 characters\n  found:    followed by \").\"\n")
                .contains("  enrollment issued: ", "  enrollment valid until: ");
    }

    @Test
    void a_damaged_link_that_does_not_work_anymore_says_so() {
        String used = link();
        service.person("ada", SoftAuthenticator.securityKey()).register(used).expect(201);
        open(used + ").").expectProblem(401, "enrollment_used");
        String expired = link();
        service.clock().advance(Duration.ofDays(3));
        open(expired.substring(0, 30)).expectProblem(401, "enrollment_expired");

        assertThat(find().object("cause").string("code")).isEqualTo("enrollment_expired");
        assertThat(find().object("cause").string("found")).startsWith("length 23");
        assertThat(command().out()).contains("Issue a new one").doesNotContain("still works");
    }

    @Test
    void nothing_remains_of_the_links_of_an_erased_user() {
        String token = link();
        service.admin().delete("/admin/users/" + ada.userId()).expect(204);

        open(token).expectProblem(401, "enrollment_ended");
        assertThat(find().string("user")).isEmpty();
        assertThat(service.rows("porchlight_sealed_entry").toString()).doesNotContain("enrollment");
    }

    @Test
    void a_sign_up_that_took_too_long_is_explained() {
        String token = service.newUser().enrollmentToken();
        service.clock().advance(Duration.ofMinutes(11));
        open(token).expectProblem(401, "signup_expired");

        assertThat(find().object("cause").string("code")).isEqualTo("signup_expired");
        assertThat(find().string("user")).isNotEmpty();
    }

    private String link() {
        return issue("ada", 86_400).field("token");
    }

    private CliRun command() {
        return command(CODE);
    }

    private CliRun command(String code) {
        return CliRun.of(
                Map.of("ADMIN_TOKEN", Service.ADMIN_TOKEN),
                "explain",
                "--code",
                code,
                "--url",
                service.web().uri("/").toString());
    }
}
