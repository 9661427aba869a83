// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Revoked access ends at once and on all instances. Each test revokes it at one instance and checks the other. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class AccessContract {
    private Service one;
    private Service other;

    /** Runs the tests on these instances, which may be the same one. */
    void use(Service one, Service other) {
        this.one = one;
        this.other = other;
    }

    /** The environment of the command line. */
    abstract Map<String, String> environment();

    @AfterAll
    void stop() {
        if (one != null) {
            one.close();
        }
        if (other != null && other != one) {
            other.close();
        }
    }

    /** The token and session of a sign-in. */
    private record Held(Web token, Web session) {
        void expect(int status) {
            assertThat(token.get("/auth/session").status()).isEqualTo(status);
            assertThat(session.get("/auth/session").status()).isEqualTo(status);
            assertThat(token.get(Person.REGISTER_OPTIONS).status()).isEqualTo(status);
            assertThat(session.get(Person.REGISTER_OPTIONS).status()).isEqualTo(status);
        }
    }

    private Held signedIn(Person person) {
        TestResponse login = person.login().expect(200);
        return new Held(
                other.web().bearer(login.json().string("token")), other.web().with("Cookie", Person.cookie(login)));
    }

    @Test
    void a_lock_ends_sessions_and_tokens_and_refuses_sign_ins_until_the_user_is_unlocked() {
        Person person = one.newUser().enroll();
        Held held = signedIn(person);
        held.expect(200);

        one.admin().post(user(person) + "/lock").expect(204);

        held.expect(401);
        TestResponse locked = person.login().expectProblem(401, "authentication_failed");
        TestResponse unknown = one.person(person.userId(), SoftAuthenticator.securityKey())
                .finishLogin("{}")
                .expectProblem(401, "authentication_failed");
        assertThat(locked.json().remove("correlationId"))
                .hasToString(unknown.json().remove("correlationId").toString());
        assertThat(one.exported()).contains("reason=\"user_locked\"");
        assertThat(audit(person)).contains("user_locked", "login user_locked");

        one.admin().post(user(person) + "/unlock").expect(204);

        held.expect(401);
        signedIn(person).expect(200);
        assertThat(audit(person)).contains("user_unlocked");
    }

    @Test
    void a_repeated_lock_succeeds_and_leaves_one_audit_row() {
        Person person = one.newUser().enroll();

        one.admin().post(user(person) + "/lock").expect(204);
        other.admin().post(user(person) + "/lock").expect(204);
        one.admin().post(user(person) + "/unlock").expect(204);
        one.admin().post(user(person) + "/unlock").expect(204);

        assertThat(audit(person)).containsOnlyOnce("user_locked", "user_unlocked");
        signedIn(person).expect(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_sign_out_everywhere_ends_enrollment_links(boolean byOperator) {
        Person person = one.newUser().enroll();
        String token = one.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                .expect(201)
                .json()
                .string("token");

        if (byOperator) {
            one.admin().post(user(person) + "/sign-out").expect(204);
        } else {
            person.bySession().post("/auth/logout?everywhere=true").expect(204);
        }

        other.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
    }

    @Test
    void a_lock_stops_enrollment_tokens_too() {
        Person person = one.newUser().enroll();
        Person added = one.person(person.userId(), SoftAuthenticator.securityKey());
        String token = one.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                .expect(201)
                .json()
                .string("token");
        String options =
                one.web().bearer(token).get(Person.REGISTER_OPTIONS).expect(200).body();

        one.admin().post(user(person) + "/lock").expect(204);

        Web bearer = other.web().bearer(token);
        bearer.get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
        String created = added.browser().create(options);
        bearer.post(Person.REGISTER_FINISH, created).expectProblem(401, "enrollment_ended");

        one.admin().post(user(person) + "/unlock").expect(204);
        bearer.post(Person.REGISTER_FINISH, created).expectProblem(401, "enrollment_ended");
    }

    @Test
    void a_link_issued_during_a_lock_is_valid_after_it_and_no_earlier_one() {
        Person person = one.newUser().enroll();
        String before = issue(person);
        one.admin().post(user(person) + "/lock").expect(204);
        String during = issue(person);
        other.web().bearer(during).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");

        other.admin().post(user(person) + "/unlock").expect(204);

        one.web().bearer(before).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
        one.person(person.userId(), SoftAuthenticator.securityKey())
                .register(during)
                .expect(201);
        one.admin().post(user(person) + "/lock").expect(204);
        String ended = issue(person);
        one.admin().post(user(person) + "/sign-out").expect(204);
        one.admin().post(user(person) + "/unlock").expect(204);
        other.web().bearer(ended).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
    }

    private String issue(Person person) {
        return one.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                .expect(201)
                .json()
                .string("token");
    }

    @Test
    void signing_out_everywhere_ends_all_sessions_and_tokens_and_a_new_sign_in_is_valid() {
        Person person = one.newUser().enroll();
        Held first = signedIn(person);
        Held second = signedIn(person);
        Person bystander = one.newUser().enroll();
        Held unaffected = signedIn(bystander);

        first.session().post("/auth/logout?everywhere=true").expect(204);

        first.expect(401);
        second.expect(401);
        unaffected.expect(200);
        signedIn(person).expect(200);
        assertThat(audit(person)).containsOnlyOnce("logout_everywhere");
    }

    @Test
    void signing_out_everywhere_with_a_token_ends_all_too() {
        Person person = one.newUser().enroll();
        Held held = signedIn(person);

        held.token().post("/auth/logout?everywhere=true").expect(204);

        held.expect(401);
    }

    @Test
    void an_operator_signs_a_user_out_everywhere() {
        Person person = one.newUser().enroll();
        Held held = signedIn(person);

        one.admin().post(user(person) + "/sign-out").expect(204);

        held.expect(401);
        signedIn(person).expect(200);
        assertThat(audit(person)).containsOnlyOnce("user_signed_out");
    }

    @Test
    void the_command_line_locks_unlocks_and_signs_out_while_the_service_runs() {
        Person person = one.newUser().enroll();
        Held held = signedIn(person);

        assertThat(users("sign-out", person.userId()).out())
                .isEqualTo(person.userId() + " is signed out everywhere.\n");
        held.expect(401);
        Held again = signedIn(person);
        assertThat(users("lock", person.userId()).out()).isEqualTo(person.userId() + " is locked.\n");
        again.expect(401);
        person.login().expectProblem(401, "authentication_failed");
        assertThat(users("unlock", person.userId()).out()).isEqualTo(person.userId() + " is unlocked.\n");
        person.login().expect(200);
        CliRun unknown = users("lock", "unknown user");
        assertThat(unknown.status()).isOne();
        assertThat(unknown.err()).contains("the user unknown user does not exist");
    }

    @Test
    void an_unknown_user_cannot_be_locked() {
        for (String change : List.of("lock", "unlock", "sign-out")) {
            one.admin().post("/admin/users/unknown/" + change).expectProblem(404, "not_found");
            one.web().post("/admin/users/unknown/" + change).expectProblem(401, "unauthenticated");
        }
    }

    @Test
    void revoked_signing_keys_end_tokens_at_once_and_leave_sessions() {
        Person person = one.newUser().enroll();
        Held held = signedIn(person);

        CliRun run = CliRun.of(environment(), "keys", "rotate", "--now");

        assertThat(run.err()).isEmpty();
        held.token().get("/auth/session").expectProblem(401, "unauthenticated");
        held.session().get("/auth/session").expect(200);
        one.clock().advance(Duration.ofSeconds(6));
        other.clock().advance(Duration.ofSeconds(6));
        signedIn(person).expect(200);
    }

    @Test
    void a_credential_id_that_is_registered_again_does_not_revive_the_sessions_and_tokens_of_the_first() {
        Person person = one.newUser().enroll();
        Held held = signedIn(person);
        one.withSql(sql -> sql.update(
                "UPDATE passkey_credential SET created_at = created_at + 1 WHERE credential_id = ?",
                person.credentialId()));

        held.expect(401);
        signedIn(person).expect(200);
    }

    @Test
    void an_enrollment_token_registers_one_passkey_under_concurrency() throws Exception {
        Person person = one.newUser().enroll();
        String token = one.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                .expect(201)
                .json()
                .string("token");
        List<Callable<Integer>> acts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Web bearer = (i % 2 == 0 ? one : other).web().bearer(token);
            String options = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
            String created = one.person(person.userId(), SoftAuthenticator.securityKey())
                    .browser()
                    .create(options);
            acts.add(() -> bearer.post(Person.REGISTER_FINISH, created).status());
        }

        assertThat(Together.run(acts)).containsOnlyOnce(201).containsOnly(201, 401);
        assertThat(person.byToken().get(Person.CREDENTIALS).json().objects("passkeys"))
                .hasSize(2);
    }

    private CliRun users(String command, String userId) {
        return CliRun.of(environment(), "users", command, userId);
    }

    private static String user(Person person) {
        return "/admin/users/" + person.userId().replace(" ", "%20");
    }

    /** The audit rows of a user: actions, with their reasons. */
    private List<String> audit(Person person) {
        return one.withSql(sql -> sql.query(
                "SELECT action || CASE WHEN outcome = 'ok' THEN '' ELSE ' ' || reason END FROM porchlight_audit"
                        + " WHERE " + Service.OF_USER + " ORDER BY at, seq",
                row -> row.getString(1),
                person.userId()));
    }
}
