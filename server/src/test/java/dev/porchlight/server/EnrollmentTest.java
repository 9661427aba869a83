// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign-up and enrollment links, and the use of their tokens. */
class EnrollmentTest {
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
    void sign_up_returns_a_token_for_ten_minutes() {
        TestResponse response = signUp(service, service.newUser().userId()).expect(201);

        assertThat(response.json().names()).containsExactlyInAnyOrder("token", "expiresAt");
        assertThat((Long) response.json().get("expiresAt") - service.clock().millis())
                .isBetween(540_000L, 600_000L);
    }

    @Test
    void the_display_name_of_the_sign_up_is_in_the_options() {
        String token = service.web()
                .post("/auth/signup", "{\"userId\":\"ada lovelace\",\"displayName\":\"Ada Lovelace\",\"unknown\":[1]}")
                .expect(201)
                .json()
                .string("token");

        JsonObject user = service.web()
                .bearer(token)
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .json()
                .object("user");
        assertThat(user.string("name")).isEqualTo("ada lovelace");
        assertThat(user.string("displayName")).isEqualTo("Ada Lovelace");
    }

    @Test
    void a_user_with_a_passkey_cannot_sign_up_again() {
        Person person = service.newUser().enroll();

        signUp(service, person.userId()).expectProblem(409, "user_exists");
    }

    @Test
    void a_sign_up_token_is_invalid_once_the_user_has_a_passkey() {
        Person person = service.newUser();
        String early = person.enrollmentToken();
        person.enroll();

        service.web().bearer(early).get(Person.REGISTER_OPTIONS).expectProblem(409, "user_exists");
    }

    @Test
    void the_slower_of_two_parallel_sign_ups_is_refused_because_the_user_exists() {
        Person fast = service.newUser();
        Person slow = service.person(fast.userId(), SoftAuthenticator.securityKey());
        Web bearer = service.web().bearer(slow.enrollmentToken());
        String options = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
        fast.enroll();

        bearer.post(Person.REGISTER_FINISH, slow.browser().create(options)).expectProblem(409, "user_exists");
    }

    @Test
    void a_closed_sign_up_is_refused() {
        try (Service closed = Service.on(TestDatabase.SQLITE, "SIGNUP", "closed")) {
            signUp(closed, "ada").expectProblem(403, "signup_closed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a\\u0000b",
                "line\\nbreak",
                "\\u007f",
                "ada\\u202egnp",
                "a\\u200bda",
                "\\u00a0",
                " ada",
                "ada\\u3000",
                "ad\\u2028a",
                "ad\\u2029a",
                "re\\u0301ne\\u0301",
                "\\ue000",
                "\\uffff",
                "porchlight:canary",
                "Porchlight:canary",
                "PORCHLIGHT:"
            })
    void an_invalid_user_id_is_refused_at_every_route(String userId) {
        String body = "{\"userId\":\"" + userId + "\"}";
        service.web().post("/auth/signup", body).expectProblem(400, "invalid_user_id");
        service.admin().post("/admin/enrollments", body).expectProblem(400, "invalid_user_id");
        String query = Web.user(JsonObject.parse(body).string("userId"));
        service.web().get(Person.LOGIN_OPTIONS + query).expectProblem(400, "invalid_user_id");
        service.web().post(Person.LOGIN_FINISH + query, "{}").expectProblem(400, "invalid_user_id");
    }

    @Test
    void a_user_id_has_256_characters_at_most() {
        signUp(service, "é".repeat(256)).expect(201);
        signUp(service, "é".repeat(257)).expectProblem(400, "invalid_user_id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"userId\":7}", "{}", "\"ada\"", "{\"userId\":\"a\",\"userId\":\"b\"}"})
    void a_malformed_sign_up_body_is_refused(String body) {
        service.web().post("/auth/signup", body).expectProblem(400, "malformed_request");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /auth/session",
        "GET, /auth/sessions",
        "POST, /auth/logout",
        "GET, /auth/passkey/credentials",
        "DELETE, /auth/passkey/credentials/AAAA",
        "DELETE, /auth/sessions/AAAA",
    })
    void T17_an_enrollment_token_is_valid_only_for_registration(String method, String path) {
        Web bearer = service.web().bearer(service.newUser().enrollmentToken());

        bearer.send(method, path, null).expectProblem(401, "unauthenticated");
    }

    @Test
    void an_enrollment_link_registers_one_passkey() {
        Person person = service.newUser();
        JsonObject issued = issue(person);
        assertThat(issued.names()).containsExactlyInAnyOrder("token", "url", "expiresAt", "locked");
        assertThat(issued.string("url")).startsWith("http://localhost/").endsWith(issued.string("token"));

        person.register(issued.string("token")).expect(201);
        person.login().expect(200);
        service.web()
                .bearer(issued.string("token"))
                .get(Person.REGISTER_OPTIONS)
                .expectProblem(401, "enrollment_used");
    }

    @Test
    void a_refused_registration_leaves_the_enrollment_valid() {
        Person person = service.newUser();
        String token = issue(person).string("token");
        service.web()
                .bearer(token)
                .post(Person.REGISTER_FINISH, "{\"id\":\"AAAA\"}")
                .expectProblem(400, "malformed_response");

        person.register(token).expect(201);
    }

    @Test
    void a_malformed_token_and_a_missing_token_get_different_messages() {
        String token = service.newUser().enrollmentToken();

        for (String wrong : List.of(token.substring("enroll_".length()), "enroll", "x.y.z")) {
            assertThat(refusal(service.web().bearer(wrong))).contains("request a new enrollment link");
        }
        service.web().bearer(token + "x").get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
        assertThat(refusal(service.web())).startsWith("Sign in first");
    }

    private static String refusal(Web web) {
        return web.get(Person.REGISTER_OPTIONS)
                .expectProblem(401, "unauthenticated")
                .json()
                .string("error");
    }

    @Test
    void an_enrollment_expires() {
        Person person = service.newUser();
        String token = issue(person).string("token");
        service.clock().advance(Duration.ofMinutes(10));

        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_expired");
    }

    @Test
    void an_operator_chooses_the_lifetime_of_an_enrollment_up_to_seven_days() {
        String body = "{\"userId\":\"invited for a week\",\"ttlSeconds\":%d}";
        long expiresAt = (Long) service.admin()
                .post("/admin/enrollments", body.formatted(604_800))
                .expect(201)
                .json()
                .get("expiresAt");

        assertThat(expiresAt - service.clock().millis()).isBetween(604_740_000L, 604_800_000L);
        for (long seconds : List.of(0L, -1L, 604_801L, Long.MAX_VALUE)) {
            service.admin().post("/admin/enrollments", body.formatted(seconds)).expectProblem(400, "malformed_request");
        }
    }

    @Test
    void a_login_result_of_token_or_session_alone_holds_for_enrollments_too() {
        try (Service tokens = Service.on(TestDatabase.SQLITE, "LOGIN_RESULT", "token");
                Service sessions = Service.on(TestDatabase.SQLITE, "LOGIN_RESULT", "session")) {
            Person person = tokens.newUser();
            TestResponse registered = person.register(person.enrollmentToken()).expect(201);
            assertThat(registered.json().names()).contains("token");
            assertThat(registered.headers().firstValue("Set-Cookie")).isEmpty();

            Person other = sessions.newUser();
            TestResponse session = other.register(other.enrollmentToken()).expect(201);
            assertThat(session.json().names()).containsExactlyInAnyOrder("credentialId", "userId");
            assertThat(session.header("Set-Cookie")).isNotEmpty();
        }
    }

    @Test
    void the_admin_routes_require_the_admin_token() {
        String body = "{\"userId\":\"ada\"}";
        TestResponse refused = service.web().post("/admin/enrollments", body).expectProblem(401, "unauthenticated");
        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer");
        service.web()
                .bearer(Service.ADMIN_TOKEN + "x")
                .post("/admin/enrollments", body)
                .expectProblem(401, "unauthenticated");
        service.newUser().enroll().byToken().post("/admin/enrollments", body).expectProblem(401, "unauthenticated");
    }

    @Test
    void routes_and_console_without_an_admin_token_are_open_to_local_clients_of_a_local_service() {
        try (Service local = Service.on(TestDatabase.SQLITE, "ADMIN_TOKEN", "", "TRUSTED_PROXIES", "127.0.0.1")) {
            local.web().post("/admin/enrollments", "{\"userId\":\"ada\"}").expect(201);
            local.web()
                    .with("X-Forwarded-For", "198.51.100.7")
                    .post("/admin/enrollments", "{\"userId\":\"ada\"}")
                    .expectProblem(403, "admin_disabled");
            local.web().get("/console").expect(200);
            local.web().with("X-Forwarded-For", "198.51.100.7").get("/console").expectProblem(404, "not_found");
        }
        try (Service remote = Service.on(
                TestDatabase.SQLITE,
                "ADMIN_TOKEN",
                "",
                "SESSION_SECRET",
                Service.RANDOM_SECRET,
                "RP_ID",
                "example.com",
                "RP_ORIGIN",
                "https://example.com")) {
            remote.web().post("/admin/enrollments", "{\"userId\":\"ada\"}").expectProblem(403, "admin_disabled");
            remote.web().get("/console").expectProblem(404, "not_found");
        }
    }

    @Test
    void a_sign_up_token_is_refused_where_sign_up_is_closed() {
        String url = service.databaseUrl();
        try (Service closed = Service.at(url, "SIGNUP", "closed")) {
            Person late = service.newUser();
            String token = late.enrollmentToken();

            TestResponse options =
                    service.web().bearer(token).get(Person.REGISTER_OPTIONS).expect(200);
            closed.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
            late.finishRegistration(closed.web().bearer(token), options).expectProblem(401, "enrollment_ended");
            assertThat(closed.rows("passkey_user")).noneMatch(row -> row.contains(late.userId()));
        }
    }

    private static JsonObject issue(Person person) {
        return service.admin()
                .post(
                        "/admin/enrollments",
                        new JsonObject().put("userId", person.userId()).toString())
                .expect(201)
                .json();
    }

    private static TestResponse signUp(Service service, String userId) {
        return service.web()
                .post("/auth/signup", new JsonObject().put("userId", userId).toString());
    }
}
