// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Links with which a signed-in user adds a passkey on another device. */
class DeviceLinkTest {
    private static final String DEVICES = "/auth/passkey/devices";
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String token(Web user) {
        return user.post(DEVICES).expect(201).json().string("url").replaceFirst(".*#enroll=", "");
    }

    private static Person phone(Person person) {
        return service.person(person.userId(), SoftAuthenticator.securityKey());
    }

    private static void expectEnded(String token) {
        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_device_ended");
    }

    private static String path(Person person) {
        return "/admin/users/" + person.userId().replace(" ", "%20");
    }

    @Test
    void a_link_with_its_qr_code_registers_one_passkey_within_ten_minutes() {
        Person person = service.newUser().enroll();

        JsonObject link = person.bySession().post(DEVICES).expect(201).json();

        assertThat(link.names()).containsExactlyInAnyOrder("url", "qr", "expiresAt");
        assertThat((Long) link.get("expiresAt") - service.clock().millis()).isBetween(540_000L, 600_000L);
        assertThat(link.string("url")).startsWith("http://localhost/#enroll=enroll_");
        assertThat(link.string("qr")).startsWith("<svg xmlns=").endsWith("</svg>");
        String token = link.string("url").replaceFirst(".*=", "");
        TestResponse registered = phone(person).register(token).expect(201);
        assertThat(registered.json().string("userId")).isEqualTo(person.userId());
        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_device_used");
        assertThat(service.admin().get(path(person)).json().flag("enrollmentPending"))
                .isFalse();
    }

    @Test
    void a_link_expires_after_ten_minutes_and_is_valid_for_nothing_else() {
        Person person = service.newUser().enroll();
        String token = token(person.bySession());
        for (String path : List.of("/auth/session", Person.CREDENTIALS, "/auth/recovery")) {
            service.web().bearer(token).get(path).expectProblem(401, "unauthenticated");
        }
        service.web().bearer(token).post(DEVICES).expectProblem(401, "unauthenticated");
        service.clock().advance(Duration.ofMinutes(10));

        service.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_device_ended");
    }

    @Test
    void a_link_needs_a_recent_sign_in() {
        Person person = service.newUser().enroll();
        Web byToken = person.byToken();
        Web bySession = person.bySession();
        service.clock().advance(Duration.ofMinutes(5));

        byToken.post(DEVICES).expectProblem(403, "recent_login_required");
        bySession.post(DEVICES).expectProblem(403, "recent_login_required");
        service.web().post(DEVICES).expectProblem(401, "unauthenticated");
    }

    @Test
    void a_link_ends_with_the_passkey_of_the_sign_in_that_created_it_and_not_with_another() {
        Person person = service.newUser().enroll();
        Person second = phone(person);
        second.register(person.bySession()).expect(201);
        String first = token(person.bySession());
        String other = token(second.bySession());

        person.remove(second.bySession()).expect(200);

        expectEnded(first);
        phone(person).register(other).expect(201);
    }

    @Test
    void a_link_ends_with_a_lock_a_sign_out_everywhere_and_an_erasure() {
        for (String end : List.of("/lock", "/sign-out")) {
            Person person = service.newUser().enroll();
            String token = token(person.bySession());
            service.admin().post(path(person) + end).expect(204);
            expectEnded(token);
        }
        Person erased = service.newUser().enroll();
        String unknown = token(erased.bySession());
        service.admin().delete(path(erased)).expect(204);
        service.web().bearer(unknown).get(Person.REGISTER_OPTIONS).expectProblem(401, "enrollment_ended");
        Person person = service.newUser().enroll();
        String token = token(person.bySession());
        person.bySession().post("/auth/logout?everywhere=true").expect(204);
        expectEnded(token);
    }

    @Test
    void a_removal_during_a_registration_leaves_no_passkey_of_an_ended_link() throws Exception {
        for (int round = 0; round < 6; round++) {
            Person person = service.newUser().enroll();
            Person keeper = phone(person);
            keeper.register(person.bySession()).expect(201);
            Web remover = keeper.bySession();
            Web bearer = service.web().bearer(token(person.bySession()));
            Person thief = phone(person);
            String response = thief.browser()
                    .create(bearer.get(Person.REGISTER_OPTIONS).expect(200).body());
            List<Callable<TestResponse>> requests = new ArrayList<>();
            requests.add(() -> person.remove(remover));
            requests.add(() -> bearer.post(Person.REGISTER_FINISH, response));

            List<TestResponse> responses = Together.run(requests);

            responses.get(0).expect(200);
            List<JsonObject> left = keeper.bySession()
                    .get(Person.CREDENTIALS)
                    .expect(200)
                    .json()
                    .objects("passkeys");
            // Either the passkey was added before the removal, and is listed, or the link had ended.
            assertThat(left).hasSize(responses.get(1).status() == 201 ? 2 : 1);
            bearer.get(Person.REGISTER_OPTIONS).expect(401);
        }
    }

    @Test
    void a_user_with_the_maximum_number_of_passkeys_gets_no_link() {
        try (Service one = Service.on(TestDatabase.SQLITE, "MAX_PASSKEYS_PER_USER", "1")) {
            one.newUser().enroll().bySession().post(DEVICES).expectProblem(409, "too_many_credentials");
        }
    }

    @Test
    void a_user_who_creates_links_in_a_loop_leaves_one_audit_row_in_five_minutes() {
        Person person = service.newUser().enroll();
        Web user = person.bySession();
        for (int i = 0; i < 5; i++) {
            token(user);
        }

        List<String> operators = service.withSql(sql -> sql.query(
                "SELECT operator FROM porchlight_audit WHERE action = 'device_link_issued' AND " + Service.OF_USER,
                row -> row.getString(1),
                person.userId()));
        assertThat(operators).containsExactly("");
    }
}
