// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Behavior over HTTP that must hold on every database, especially under concurrency. */
abstract class FlowContract extends ServiceContract {
    @Test
    void a_user_signs_up_in_and_out() {
        Person person = service.newUser().enroll();
        TestResponse login = person.login().expect(200);

        Web session = service.web().with("Cookie", Person.cookie(login));
        assertThat(session.get("/auth/session").expect(200).json().string("userId"))
                .isEqualTo(person.userId());
        session.post("/auth/logout").expect(204);
        session.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void a_client_has_access_until_its_settings_become_stricter() {
        OpenIdClient client = OpenIdClient.register(service.admin(), "");
        Web browser = service.newUser().enroll().bySession();
        Map<String, String> silent = client.request();
        silent.put("prompt", "none");
        assertThat(client.signIn(browser, silent)).containsKey("code");
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();
        String access = tokens.string("access_token");
        client.userinfo(access).expect(200);

        service.admin()
                .patch("/admin/clients/" + client.id(), "{\"refreshSeconds\":3600}")
                .expect(200);

        client.userinfo(access).expect(401);
        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void a_user_signs_in_without_a_name() {
        Person person = service.newUser().enroll();
        String options = service.web().get(Person.LOGIN_OPTIONS).expect(200).body();

        TestResponse login =
                service.web().post(Person.LOGIN_FINISH, person.browser().get(options));

        assertThat(login.expect(200).json().string("userId")).isEqualTo(person.userId());
    }

    @Test
    void T01_a_replayed_login_is_refused() {
        Person person = service.newUser().enroll();
        String assertion = person.assertion();
        person.finishLogin(assertion).expect(200);

        person.finishLogin(assertion).expectProblem(401, "authentication_failed");
    }

    @Test
    void T02_one_of_64_concurrent_copies_of_a_login_succeeds() throws Exception {
        Person person = service.newUser(SoftAuthenticator.syncedPasskeys()).enroll();
        String assertion = person.assertion();

        List<TestResponse> responses = Together.times(64, () -> person.finishLogin(assertion));

        assertThat(responses)
                .extracting(TestResponse::status)
                .containsOnlyOnce(200)
                .containsOnly(200, 401);
    }

    @Test
    void T03_a_refused_login_uses_up_its_challenge() {
        Person person = service.newUser().enroll();
        String assertion = person.assertion();
        person.finishLogin(withSignature(assertion, "MAYCAQECAQE")).expectProblem(401, "authentication_failed");

        person.finishLogin(assertion).expectProblem(401, "authentication_failed");
        person.login().expect(200);
    }

    @Test
    void T04_options_requested_by_others_do_not_break_a_pending_login() {
        Person person = service.newUser().enroll();
        String assertion = person.assertion();
        for (int i = 0; i < 50; i++) {
            person.loginOptions();
        }

        person.finishLogin(assertion).expect(200);
    }

    @Test
    void T15_a_credential_id_stays_with_its_first_owner() {
        Person first =
                service.newUser(SoftAuthenticator.builder().seed(15).build()).enroll();
        Person second = service.newUser(SoftAuthenticator.builder().seed(15).build());
        second.register(second.enrollmentToken()).expectProblem(409, "credential_exists");

        assertThat(second.credentialId()).as("the attack").isEqualTo(first.credentialId());
        first.login().expect(200);
        second.loginRegardless().expectProblem(401, "authentication_failed");
    }

    @Test
    void T15_one_of_two_concurrent_registrations_of_a_credential_id_succeeds() throws Exception {
        Person one = service.newUser(SoftAuthenticator.builder().seed(16).build());
        Person other = service.newUser(SoftAuthenticator.builder().seed(16).build());
        Web first = service.web().bearer(one.enrollmentToken());
        Web second = service.web().bearer(other.enrollmentToken());

        List<TestResponse> responses = Together.run(List.of(() -> one.register(first), () -> other.register(second)));

        assertThat(responses).extracting(TestResponse::status).containsExactlyInAnyOrder(201, 409);
    }

    @Test
    void one_of_two_concurrent_sign_ups_under_one_name_succeeds() throws Exception {
        Person one = service.newUser();
        Person other = service.person(one.userId(), SoftAuthenticator.securityKey());
        Web first = service.web().bearer(one.enrollmentToken());
        Web second = service.web().bearer(other.enrollmentToken());
        String firstOptions = first.get(Person.REGISTER_OPTIONS).expect(200).body();
        String secondOptions = second.get(Person.REGISTER_OPTIONS).expect(200).body();

        List<TestResponse> responses = Together.run(List.of(
                () -> first.post(Person.REGISTER_FINISH, one.browser().create(firstOptions)),
                () -> second.post(Person.REGISTER_FINISH, other.browser().create(secondOptions))));

        assertThat(responses).extracting(TestResponse::status).containsExactlyInAnyOrder(201, 409);
        Web winner = (responses.get(0).status() == 201 ? one : other).byToken();
        assertThat(winner.get(Person.CREDENTIALS).json().objects("passkeys")).hasSize(1);
    }

    @Test
    void T17_one_of_many_concurrent_uses_of_an_enrollment_link_succeeds() throws Exception {
        Person person = service.newUser();
        String token = service.admin()
                .post(
                        "/admin/enrollments",
                        new JsonObject().put("userId", person.userId()).toString())
                .expect(201)
                .json()
                .string("token");

        List<TestResponse> responses = Together.times(8, () -> {
            Person bearer = service.person(person.userId(), SoftAuthenticator.securityKey());
            Web web = service.web().bearer(token);
            TestResponse options = web.get(Person.REGISTER_OPTIONS);
            return options.status() == 200
                    ? web.post(Person.REGISTER_FINISH, bearer.browser().create(options.body()))
                    : options;
        });

        assertThat(responses)
                .extracting(TestResponse::status)
                .containsOnlyOnce(201)
                .containsOnly(201, 401);
    }

    @Test
    void T19_one_of_two_concurrently_removed_passkeys_stays() throws Exception {
        Person person = service.newUser().enroll();
        String first = person.credentialId();
        person.browser().authenticator().forget(first);
        // the authenticator has forgotten the first, so it creates a second passkey instead of declining
        Web web = service.web()
                .bearer(service.admin()
                        .post(
                                "/admin/enrollments",
                                new JsonObject().put("userId", person.userId()).toString())
                        .json()
                        .string("token"));
        person.register(web).expect(201);
        Web user = person.byToken();
        String second = person.credentialId();

        List<TestResponse> responses = Together.run(List.of(
                () -> user.delete(Person.CREDENTIALS + "/" + first),
                () -> user.delete(Person.CREDENTIALS + "/" + second)));

        // the token was issued for one of the two passkeys and ends with it
        assertThat(responses)
                .extracting(TestResponse::status)
                .containsOnlyOnce(200)
                .containsAnyOf(401, 409);
        List<String> left = service.withSql(sql -> sql.query(
                "SELECT credential_id FROM passkey_credential WHERE user_id = ?",
                row -> row.getString(1),
                person.userId()));
        assertThat(left).hasSize(1);
    }

    @Test
    void a_removed_passkey_cannot_register_another() throws Exception {
        for (int round = 0; round < 8; round++) {
            Person removed = service.newUser().enroll();
            Person staying = service.person(removed.userId(), SoftAuthenticator.securityKey());
            staying.register(enrolled(removed.userId())).expect(201);
            Web owner = staying.byToken();
            Web intruder = removed.byToken();
            Person brought = service.person(removed.userId(), SoftAuthenticator.securityKey());
            String options = intruder.get(Person.REGISTER_OPTIONS).expect(200).body();
            String response = brought.browser().create(options);

            List<TestResponse> responses = Together.run(List.of(
                    () -> owner.delete(Person.CREDENTIALS + "/" + removed.credentialId()),
                    () -> intruder.post(Person.REGISTER_FINISH, response)));

            assertThat(responses.get(0).status()).isEqualTo(200);
            assertThat(responses.get(1).status()).isIn(201, 401);
            List<String> acts = service.withSql(sql -> sql.query(
                    "SELECT action FROM porchlight_audit WHERE " + Service.OF_USER + " AND outcome = 'ok' ORDER BY seq",
                    row -> row.getString(1),
                    removed.userId()));
            int removal = acts.indexOf("passkey_removed");
            assertThat(acts.subList(removal, acts.size())).doesNotContain("registration");
            intruder.get("/auth/session").expectProblem(401, "unauthenticated");
            intruder.delete(Person.CREDENTIALS + "/" + staying.credentialId()).expectProblem(401, "unauthenticated");
        }
    }

    @Test
    void logins_during_a_removal_leave_no_session_or_token_of_the_passkey() throws Exception {
        Person removed = service.newUser(SoftAuthenticator.syncedPasskeys()).enroll();
        Person staying = service.person(removed.userId(), SoftAuthenticator.securityKey());
        staying.register(enrolled(removed.userId())).expect(201);
        Web owner = staying.byToken();
        List<Callable<TestResponse>> acts = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            String assertion = removed.assertion();
            acts.add(() -> removed.finishLogin(assertion));
        }
        acts.add(7, () -> owner.delete(Person.CREDENTIALS + "/" + removed.credentialId()));

        List<TestResponse> responses = Together.run(acts);

        responses.remove(7).expect(200);
        for (TestResponse login : responses) {
            assertThat(login.status()).isIn(200, 401);
            if (login.status() == 200) {
                service.web()
                        .bearer(login.json().string("token"))
                        .get("/auth/session")
                        .expectProblem(401, "unauthenticated");
                service.web()
                        .with("Cookie", Person.cookie(login))
                        .get("/auth/session")
                        .expectProblem(401, "unauthenticated");
            }
        }
        owner.get("/auth/session").expect(200);
    }

    private String enrolled(String userId) {
        return service.admin()
                .post(
                        "/admin/enrollments",
                        new JsonObject().put("userId", userId).toString())
                .expect(201)
                .json()
                .string("token");
    }

    @Test
    void every_action_writes_one_audit_row_and_the_chain_verifies() {
        Person person = service.newUser().enroll();
        person.login().expect(200);
        person.finishLogin(withSignature(person.assertion(), "AAAA")).expect(401);
        person.finishLogin("{}").expect(401); // contains no challenge of this service, so nothing is recorded

        List<String> acts = service.withSql(sql -> sql.query(
                "SELECT action, outcome, reason FROM porchlight_audit WHERE " + Service.OF_USER + " ORDER BY seq",
                row -> row.getString(1) + ' ' + row.getString(2) + ' ' + row.getString(3),
                person.userId()));
        assertThat(acts).containsExactly("registration ok signed_in", "login ok ", "login refused bad_signature");
        var result = service.withSql(sql -> new AuditVerification(
                        new AuditStore(sql), new DerivedKeys(Service.SECRET).forPurpose("audit chain"))
                .verify());
        assertThat(result.faults()).isEmpty();
    }

    private static String withSignature(String assertion, String signature) {
        JsonObject json = JsonObject.parse(assertion);
        json.object("response").put("signature", signature);
        return json.toString();
    }
}
