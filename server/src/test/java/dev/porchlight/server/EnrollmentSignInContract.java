// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A registration with an enrollment token signs the user in, once and only with the passkey that it stored. */
abstract class EnrollmentSignInContract extends ServiceContract {
    @Test
    void a_sign_up_signs_the_user_in_with_a_token_and_a_session() {
        Person person = service.newUser();
        TestResponse registered = person.register(person.enrollmentToken()).expect(201);

        JsonObject json = registered.json();
        assertThat(json.names()).containsExactlyInAnyOrder("credentialId", "token", "tokenType", "expiresAt", "userId");
        assertThat(json.string("credentialId")).isEqualTo(person.credentialId());
        assertThat(json.string("userId")).isEqualTo(person.userId());
        assertThat(registered.header("Set-Cookie")).contains("HttpOnly", "SameSite=Strict");
        assertSignedIn(registered, person);
        assertThat(audit(person)).containsExactly("registration ok signed_in");
        assertThat(sessions(bySession(registered))).hasSize(1);
    }

    @Test
    void the_token_has_the_claims_of_a_login_with_that_passkey() {
        Person person = service.newUser();
        JsonObject registered = claims(person.register(person.enrollmentToken()).expect(201));
        JsonObject login = claims(person.login().expect(200));

        assertThat(registered.names()).isEqualTo(login.names());
        for (String same : List.of("iss", "sub", "aud", "amr", "acr", "credential_id", "grant")) {
            assertThat(registered.get(same)).as(same).isEqualTo(login.get(same));
        }
        assertThat((Long) login.get("auth_time") - (Long) registered.get("auth_time"))
                .isBetween(0L, 60L);
    }

    @Test
    void an_unverified_registration_has_no_second_factor() {
        Person person =
                service.newUser(SoftAuthenticator.builder().userVerified(false).build());

        TestResponse registered = person.register(person.enrollmentToken()).expect(201);

        assertThat(claims(registered).get("amr")).isEqualTo(List.of("pop", "user"));
    }

    @Test
    void an_operators_link_signs_an_existing_user_in() {
        Person person = service.newUser().enroll();
        Person again = service.person(person.userId(), SoftAuthenticator.securityKey());

        TestResponse registered = again.register(operatorToken(person)).expect(201);

        assertSignedIn(registered, again);
        bySession(registered)
                .delete(Person.CREDENTIALS + "/" + person.credentialId())
                .expect(200);
    }

    @Test
    void a_passkey_that_a_signed_in_user_adds_opens_no_session() {
        Person person = service.newUser().enroll();
        Web user = person.bySession();
        int before = sessions(user).size();

        TestResponse added = service.person(person.userId(), SoftAuthenticator.securityKey())
                .register(user)
                .expect(201);

        assertThat(added.json().names()).containsExactly("credentialId");
        assertThat(added.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(sessions(user)).hasSize(before);
    }

    @Test
    void a_replayed_registration_does_not_sign_in() {
        Person person = service.newUser();
        for (String token : List.of(operatorToken(person), service.newUser().enrollmentToken())) {
            Web bearer = service.web().bearer(token);
            String options = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
            String response = service.newUser().browser().create(options);
            bearer.post(Person.REGISTER_FINISH, response).expect(201);

            TestResponse replayed = bearer.post(Person.REGISTER_FINISH, response);

            assertThat(replayed.status()).isIn(401, 409);
            assertNotSignedIn(replayed);
        }
    }

    @Test
    void one_of_many_parallel_registrations_with_one_token_signs_in() throws Exception {
        Person invited = service.newUser();
        Person stranger = service.newUser();
        for (Person person : List.of(invited, stranger)) {
            Web bearer = service.web().bearer(person == invited ? operatorToken(person) : person.enrollmentToken());
            List<Callable<TestResponse>> requests = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String options = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
                String response = service.person(person.userId(), SoftAuthenticator.securityKey())
                        .browser()
                        .create(options);
                requests.add(() -> bearer.post(Person.REGISTER_FINISH, response));
            }

            List<TestResponse> responses = Together.run(requests);

            assertThat(responses)
                    .extracting(TestResponse::status)
                    .containsOnlyOnce(201)
                    .allSatisfy(status -> assertThat(status).isIn(201, 401, 409));
            for (TestResponse response : responses) {
                if (response.status() == 201) {
                    assertThat(sessions(bySession(response))).hasSize(1);
                } else {
                    assertNotSignedIn(response);
                }
            }
        }
    }

    @Test
    void the_session_id_is_new_and_replaces_the_browsers_session() {
        Person attacker = service.newUser();
        TestResponse planted = attacker.register(attacker.enrollmentToken()).expect(201);
        Person victim = service.newUser();
        Web browser = service.web().with("Cookie", Person.cookie(planted));

        TestResponse registered =
                victim.register(browser.bearer(victim.enrollmentToken())).expect(201);

        assertThat(Person.cookie(registered)).isNotEqualTo(Person.cookie(planted));
        assertSignedIn(registered, victim);
        browser.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void a_lock_during_a_registration_leaves_no_access() throws Exception {
        for (int round = 0; round < 6; round++) {
            Person person = service.newUser();
            Web bearer = service.web().bearer(operatorToken(person));
            String options = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
            String response = person.browser().create(options);

            List<TestResponse> responses = Together.run(List.of(
                    () -> bearer.post(Person.REGISTER_FINISH, response),
                    () -> service.admin().post("/admin/users/" + person.userId().replace(" ", "%20") + "/lock")));

            responses.get(1).expect(204);
            TestResponse registration = responses.get(0);
            assertThat(registration.status()).isIn(201, 401);
            if (registration.status() == 201) {
                bySession(registration).get("/auth/session").expectProblem(401, "unauthenticated");
                byToken(registration).get("/auth/session").expectProblem(401, "unauthenticated");
            } else {
                assertNotSignedIn(registration);
            }
        }
    }

    @Test
    void removing_the_passkey_ends_the_session_and_the_token() {
        Person person = service.newUser();
        TestResponse registered = person.register(person.enrollmentToken()).expect(201);

        bySession(registered)
                .delete(Person.CREDENTIALS + "/" + person.credentialId() + "?force=true")
                .expect(200);

        bySession(registered).get("/auth/session").expectProblem(401, "unauthenticated");
        byToken(registered).get("/auth/session").expectProblem(401, "unauthenticated");
    }

    private void assertSignedIn(TestResponse registered, Person person) {
        for (Web web : List.of(bySession(registered), byToken(registered))) {
            assertThat(web.get("/auth/session").expect(200).json().string("userId"))
                    .isEqualTo(person.userId());
        }
    }

    private static void assertNotSignedIn(TestResponse response) {
        assertThat(response.body()).doesNotContain("token\"");
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
    }

    private Web bySession(TestResponse registered) {
        return service.web().with("Cookie", Person.cookie(registered));
    }

    private Web byToken(TestResponse registered) {
        return service.web().bearer(registered.json().string("token"));
    }

    private static List<JsonObject> sessions(Web web) {
        return web.get("/auth/sessions").expect(200).json().objects("sessions");
    }

    private static JsonObject claims(TestResponse response) {
        String claims = response.json().string("token").split("\\.")[1];
        return JsonObject.parse(new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8));
    }

    private List<String> audit(Person person) {
        return service.withSql(sql -> sql.query(
                "SELECT action, outcome, reason FROM porchlight_audit WHERE " + Service.OF_USER + " ORDER BY seq",
                row -> row.getString(1) + ' ' + row.getString(2) + ' ' + row.getString(3),
                person.userId()));
    }

    private String operatorToken(Person person) {
        return service.admin()
                .post(
                        "/admin/enrollments",
                        new JsonObject().put("userId", person.userId()).toString())
                .expect(201)
                .json()
                .string("token");
    }
}
