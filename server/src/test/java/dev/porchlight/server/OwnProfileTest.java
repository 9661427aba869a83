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
import org.junit.jupiter.params.provider.ValueSource;

/** What users see and change of their profiles, and what a sign-up stores. */
class OwnProfileTest {
    private static final String PROFILE = "/auth/profile";

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(
                TestDatabase.SQLITE, "PROFILE_EDITABLE", "name,email", "SIGNUP_FIELDS", "familyName*, email, locale");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Person invited(String userId) {
        String token = service.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + userId + "\"}")
                .expect(201)
                .json()
                .string("token");
        Person person = service.person(userId, SoftAuthenticator.securityKey());
        person.register(token).expect(201);
        return person;
    }

    private static TestResponse signUp(String userId, String members) {
        return service.web().post("/auth/signup", "{\"userId\":\"" + userId + '"' + members + '}');
    }

    private static JsonObject shown(String userId) {
        return service.admin().get("/admin/users/" + userId).expect(200).json();
    }

    @Test
    void a_user_sees_the_profile_and_changes_what_the_operator_allows() {
        Web ada = invited("ada").bySession();
        service.admin()
                .patch(
                        "/admin/users/ada",
                        "{\"givenName\":\"Ada\",\"email\":\"ada@example.com\",\"emailVerified\":true}")
                .expect(204);

        assertThat(ada.get(PROFILE).expect(200).body())
                .isEqualTo("{\"givenName\":\"Ada\",\"email\":\"ada@example.com\",\"emailVerified\":true,"
                        + "\"editable\":[\"name\",\"email\"]}");
        ada.patch(PROFILE, "{\"name\":\"Ada Lovelace\",\"email\":\"ada@example.com\"}")
                .expect(200);
        assertThat(shown("ada").get("emailVerified")).isEqualTo(true);
        JsonObject changed = ada.patch(PROFILE, "{\"name\":null,\"email\":\"ada@example.org\"}")
                .expect(200)
                .json();

        assertThat(changed.names()).doesNotContain("name");
        assertThat(changed.get("emailVerified")).isEqualTo(false);
        assertThat(shown("ada").string("email")).isEqualTo("ada@example.org");
        assertThat(service.admin()
                        .get("/admin/audit?userId=ada&action=profile_changed&limit=1")
                        .expect(200)
                        .json()
                        .objects("events"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.get("changed")).hasToString("[name, email, emailVerified]");
                    assertThat(event.string("operator")).isEmpty();
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"givenName\":\"Ada\"}",
                "{\"emailVerified\":true}",
                "{\"claims\":{\"level\":1}}",
                "{\"role\":\"owner\"}",
                "{\"groups\":[\"staff\"]}",
                "{\"email\":\"not an address\"}",
                "{\"name\":\"\"}"
            })
    void what_is_not_allowed_or_invalid_changes_nothing(String change) {
        Web eve = invited("eve " + change.length()).bySession();

        eve.patch(PROFILE, change).expectProblem(400, "malformed_request");

        assertThat(eve.get(PROFILE).expect(200).json().names()).containsExactly("editable");
    }

    @Test
    void a_new_address_needs_a_recent_sign_in() {
        Person bob = invited("bob");
        Web old = bob.bySession();
        service.clock().advance(Duration.ofMinutes(6));

        old.patch(PROFILE, "{\"email\":\"thief@example.com\"}").expectProblem(403, "recent_login_required");
        old.patch(PROFILE, "{\"name\":\"Bob\"}").expect(200);
        bob.bySession().patch(PROFILE, "{\"email\":\"bob@example.com\"}").expect(200);
    }

    @Test
    void a_locked_user_changes_nothing() {
        Web cy = invited("cy").bySession();
        service.admin().post("/admin/users/cy/lock").expect(204);

        cy.get(PROFILE).expectProblem(401, "unauthenticated");
        cy.patch(PROFILE, "{\"name\":\"Cy\"}").expectProblem(401, "unauthenticated");
    }

    @Test
    void a_user_in_a_loop_does_not_fill_the_audit_log() {
        Web dan = invited("dan").bySession();
        for (int i = 0; i < 30; i++) {
            dan.patch(PROFILE, "{\"name\":\"Dan " + i + "\"}").expect(200);
        }

        TestResponse refused = dan.patch(PROFILE, "{\"name\":\"Dan\"}").expectProblem(429, "rate_limited");

        assertThat(refused.header("Retry-After")).isEqualTo("3600");
        assertThat(shown("dan").string("name")).isEqualTo("Dan 29");
    }

    @Test
    void a_sign_up_stores_what_it_was_asked_for_with_the_passkey() {
        String token = signUp(
                        "grace", ",\"familyName\":\"Hopper\",\"email\":\"grace@example.com\",\"displayName\":\"G\"")
                .expect(201)
                .json()
                .string("token");
        service.admin().get("/admin/users/grace").expect(404);
        assertThat(service.rows("porchlight_profile")).noneMatch(row -> row.contains("Hopper"));

        service.person("grace", SoftAuthenticator.securityKey()).register(token).expect(201);

        JsonObject grace = shown("grace");
        assertThat(List.of(grace.string("familyName"), grace.string("email"), grace.get("emailVerified")))
                .containsExactly("Hopper", "grace@example.com", false);
        assertThat(service.admin().get("/admin/users?query=hop").expect(200).body())
                .contains("grace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",\"familyName\":null",
                ",\"familyName\":\" \"",
                ",\"familyName\":\"Hopper\",\"email\":\"grace\"",
                ",\"familyName\":\"Hopper\",\"locale\":\"!\"",
                ",\"familyName\":\"Hopper\",\"name\":\"Grace\"",
                ",\"familyName\":\"Hopper\",\"emailVerified\":true",
                ",\"familyName\":\"Hopper\",\"claims\":{\"level\":9}"
            })
    void a_sign_up_without_what_is_required_or_with_more_is_refused(String members) {
        signUp("ivy", members).expectProblem(400, "malformed_request");
    }

    @Test
    void the_longest_profile_fits_in_a_sign_up() {
        String name = "\\uD835\\uDD38".repeat(128);
        String token = signUp(
                        "kim",
                        ",\"familyName\":\"" + name + "\",\"displayName\":\"" + name + "\",\"email\":\"k@"
                                + "x".repeat(63) + ".example\",\"locale\":\"de-AT\"")
                .expect(201)
                .json()
                .string("token");

        service.person("kim", SoftAuthenticator.securityKey()).register(token).expect(201);

        assertThat(shown("kim").string("familyName")).hasSize(256);
    }

    @Test
    void an_invitation_keeps_the_profile_that_the_operator_gave_it() {
        String token = service.admin()
                .post("/admin/enrollments", "{\"userId\":\"lea\",\"name\":\"Lea\"}")
                .expect(201)
                .json()
                .string("token");

        service.person("lea", SoftAuthenticator.securityKey()).register(token).expect(201);

        assertThat(shown("lea").string("name")).isEqualTo("Lea");
    }
}
