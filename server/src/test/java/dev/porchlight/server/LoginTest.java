// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The login's user checks and its result. */
class LoginTest {
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void a_login_returns_a_token_and_a_session() {
        Person person = service.newUser().enroll();
        TestResponse response = person.login().expect(200);

        assertThat(response.json().names()).contains("token", "userId");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("Set-Cookie"))
                .matches("porchlight=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict");
    }

    @Test
    void over_https_the_cookie_is_bound_to_the_host() {
        try (Service https = Service.on(
                TestDatabase.SQLITE,
                "RP_ID",
                "example.com",
                "RP_ORIGIN",
                "https://example.com",
                "SIGNUP",
                "open",
                "SESSION_SECRET",
                Service.RANDOM_SECRET,
                "ADMIN_TOKEN",
                "")) {
            TestResponse response = https.newUser().enroll().login().expect(200);

            assertThat(response.header("Set-Cookie"))
                    .matches(
                            "__Host-porchlight=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure");
            https.web()
                    .with("Cookie", Person.cookie(response))
                    .get("/auth/session")
                    .expect(200);
            https.web()
                    .with("Cookie", Person.cookie(response).replace("__Host-", ""))
                    .get("/auth/session")
                    .expectProblem(401, "unauthenticated");
        }
    }

    @Test
    void a_login_can_return_only_a_token_or_only_a_session() {
        try (Service tokens = Service.on(TestDatabase.SQLITE, "LOGIN_RESULT", "token")) {
            TestResponse response = tokens.newUser().enroll().login().expect(200);
            assertThat(response.json().has("token")).isTrue();
            assertThat(response.header("Set-Cookie")).isNull();
        }
        try (Service sessions = Service.on(TestDatabase.SQLITE, "LOGIN_RESULT", "session")) {
            TestResponse response = sessions.newUser().enroll().login().expect(200);
            assertThat(response.json().has("token")).isFalse();
            assertThat(response.header("Set-Cookie")).isNotNull();
        }
    }

    @Test
    void T05_a_challenge_for_one_ceremony_is_invalid_for_the_other() {
        Person person = service.newUser().enroll();
        Web user = person.byToken();
        JsonObject creation = user.get(Person.REGISTER_OPTIONS).json();
        JsonObject request = JsonObject.parse(person.loginOptions());

        String crossed = request.put("challenge", creation.string("challenge")).toString();
        person.finishLogin(person.browser().get(crossed)).expectProblem(401, "authentication_failed");

        String other = JsonObject.parse(person.loginOptions()).string("challenge");
        creation.put("challenge", other).put("excludeCredentials", List.of());
        user.post(Person.REGISTER_FINISH, person.browser().create(creation.toString()))
                .expectProblem(400, "wrong_ceremony");
    }

    @Test
    void T07_an_expired_challenge_is_refused() {
        Person person = service.newUser().enroll();
        String assertion = person.assertion();
        service.clock().advance(Duration.ofMinutes(5).plusMillis(1));

        person.finishLogin(assertion).expectProblem(401, "authentication_failed");
        assertThat(service.logs()).contains("challenge_expired");
    }

    @Test
    void T12_a_passkey_signs_in_only_its_owner() {
        Person attacker = service.newUser().enroll();
        Person victim = service.newUser().enroll();
        Person unknown = service.newUser();

        for (String named : new String[] {victim.userId(), unknown.userId()}) {
            TestResponse response =
                    service.web().post(Person.LOGIN_FINISH + Web.user(named), assertionFor(named, attacker.browser()));
            response.expectProblem(401, "authentication_failed");
        }
    }

    @Test
    void T13_another_users_handle_is_refused() {
        Person person = service.newUser().enroll();
        Person other = service.newUser().enroll();
        String foreign = other.browser().authenticator().passkeys().get(0).userHandle();
        JsonObject assertion = JsonObject.parse(person.assertion());
        assertion.object("response").put("userHandle", foreign);

        person.finishLogin(assertion.toString()).expectProblem(401, "authentication_failed");
    }

    @Test
    void T13_a_login_without_a_name_requires_the_user_handle() {
        Person person = service.newUser().enroll();
        JsonObject assertion = JsonObject.parse(
                person.browser().get(service.web().get(Person.LOGIN_OPTIONS).body()));
        assertion.object("response").remove("userHandle");

        service.web().post(Person.LOGIN_FINISH, assertion.toString()).expectProblem(401, "authentication_failed");
    }

    @Test
    void a_named_login_needs_no_user_handle() {
        Person person = service.newUser().enroll();
        JsonObject assertion = JsonObject.parse(person.assertion());
        assertion.object("response").put("userHandle", null);

        person.finishLogin(assertion.toString()).expect(200);
    }

    @Test
    void T14_a_login_started_under_an_unknown_name_is_refused() {
        Person bob = service.newUser().enroll();
        String similarId = bob.userId() + "2";
        String assertion = assertionFor(similarId, bob.browser());

        service.web()
                .post(Person.LOGIN_FINISH + Web.user(similarId), assertion)
                .expectProblem(401, "authentication_failed");
        service.web().post(Person.LOGIN_FINISH, assertion).expectProblem(401, "authentication_failed");
    }

    @Test
    void T16_the_outer_id_must_match_the_signed_id() {
        Person person = service.newUser();
        Web bearer = service.web().bearer(person.enrollmentToken());
        JsonObject response = JsonObject.parse(
                person.browser().create(bearer.get(Person.REGISTER_OPTIONS).body()));
        response.put("id", "AAAAAAAAAAAAAAAAAAAAAA").put("rawId", "AAAAAAAAAAAAAAAAAAAAAA");

        bearer.post(Person.REGISTER_FINISH, response.toString()).expectProblem(400, "credential_id_mismatch");
    }

    @Test
    void T21_the_token_is_for_the_owner_of_the_passkey() {
        Person person = service.newUser().enroll();
        String options = service.web().get(Person.LOGIN_OPTIONS).body();
        TestResponse response =
                service.web().post(Person.LOGIN_FINISH, person.browser().get(options));

        String payload = response.json().string("token").split("\\.", -1)[1];
        JsonObject claims =
                JsonObject.parse(new String(Base64.getUrlDecoder().decode(payload), StandardCharsets.UTF_8));
        assertThat(claims.string("sub")).isEqualTo(person.userId());
    }

    @Test
    void a_response_from_a_phishing_origin_is_refused() {
        Person person = service.newUser();
        Web bearer = service.web().bearer(person.enrollmentToken());
        var elsewhere = new SoftBrowser("http://localhost:8081", SoftAuthenticator.securityKey());

        bearer.post(
                        Person.REGISTER_FINISH,
                        elsewhere.create(bearer.get(Person.REGISTER_OPTIONS).body()))
                .expectProblem(400, "origin_mismatch");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "hello", "{\"id\":", "\u0000", "{\"a\":1}trailing", "{'a':1}"})
    void a_body_that_is_not_json_is_a_bad_request(String body) {
        Person person = service.newUser().enroll();

        person.finishLogin(body).expectProblem(400, "malformed_json");
        service.web().post(Person.LOGIN_FINISH, body).expectProblem(400, "malformed_json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "7", "{\"response\":{}}", "{\"id\":\"a\",\"id\":\"b\"}"})
    void a_body_without_an_assertion_is_a_refused_login(String body) {
        Person person = service.newUser().enroll();

        person.finishLogin(body).expectProblem(401, "authentication_failed");
    }

    @Test
    void unknown_members_are_ignored() {
        Person person = service.newUser().enroll();
        JsonObject assertion = JsonObject.parse(person.assertion()).put("new", new JsonObject().put("a", 1L));
        assertion.object("response").put("newer", List.of("b"));

        person.finishLogin(assertion.toString()).expect(200);
    }

    /** A tampering browser's response to another user's options. */
    private static String assertionFor(String userId, SoftBrowser browser) {
        JsonObject options =
                service.web().get(Person.LOGIN_OPTIONS + Web.user(userId)).json();
        return browser.get(options.put("allowCredentials", List.of()).toString());
    }
}
