// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A user's own passkeys and sessions: list, rename, remove, end. */
class AccountTest {
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
    void lists_my_passkeys_and_nobody_elses() {
        service.stranger().enroll();
        Person person = service.stranger().enroll();

        JsonObject listed = person.byToken().get(Person.CREDENTIALS).expect(200).json();

        assertThat(listed.objects("credentials")).hasSize(1);
        JsonObject passkey = listed.objects("credentials").get(0);
        assertThat(passkey.string("credentialId")).isEqualTo(person.credentialId());
        assertThat((Long) passkey.get("createdAt")).isPositive();
        assertThat((Long) passkey.get("lastUsedAt")).isPositive();
        assertThat(listed.toString()).doesNotContain("public");
    }

    @Test
    void a_passkey_can_be_renamed() {
        Person person = service.stranger().enroll();
        Web user = person.byToken();

        user.patch(passkey(person), "{\"name\":\"my <b>key</b>\"}").expect(200);

        assertThat(user.get(Person.CREDENTIALS)
                        .json()
                        .objects("credentials")
                        .get(0)
                        .string("name"))
                .isEqualTo("my <b>key</b>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\":7}", "{\"name\":\"\"}", "{\"name\":\"a\\u0000\"}", "[]"})
    void a_name_that_is_none_is_malformed(String body) {
        Person person = service.stranger().enroll();

        person.byToken().patch(passkey(person), body).expectProblem(400, "malformed_request");
    }

    @Test
    void T19_somebody_elses_passkey_is_as_if_it_did_not_exist() {
        Person owner = service.stranger().enroll();
        Web other = service.stranger().enroll().byToken();

        other.patch(passkey(owner), "{\"name\":\"mine\"}").expectProblem(404, "not_found");
        TestResponse removed = other.delete(passkey(owner)).expectProblem(404, "not_found");
        TestResponse unknown =
                other.delete(Person.CREDENTIALS + "/AAAAAAAAAAAAAAAAAAAAAA").expectProblem(404, "not_found");
        assertThat(removed.json().remove("correlationId"))
                .hasToString(unknown.json().remove("correlationId").toString());
        other.delete(passkey(owner) + "?force=true").expectProblem(404, "not_found");
        owner.login().expect(200);
    }

    @Test
    void T19_the_last_passkey_stays_unless_forced_soon_after_a_login() {
        Person person = service.stranger().enroll();
        Web user = person.byToken();
        user.delete(passkey(person)).expectProblem(409, "last_credential");
        user.delete(passkey(person) + "?force=false").expectProblem(409, "last_credential");

        user.delete(passkey(person) + "?force=true").expect(200);

        person.loginRegardless().expectProblem(401, "authentication_failed");
    }

    @Test
    void T19_a_sign_in_of_five_minutes_ago_is_too_old_to_add_or_remove_a_passkey() {
        Person person = service.stranger().enroll();
        Web byToken = person.byToken();
        Web bySession = person.bySession();
        service.clock().advance(Duration.ofMinutes(5));

        for (Web stale : List.of(byToken, bySession)) {
            stale.delete(passkey(person)).expectProblem(403, "recent_login_required");
            stale.delete(passkey(person) + "?force=true").expectProblem(403, "recent_login_required");
            stale.get(Person.REGISTER_OPTIONS).expectProblem(403, "recent_login_required");
            stale.post(Person.REGISTER_FINISH, "{}").expectProblem(403, "recent_login_required");
            stale.get(Person.CREDENTIALS).expect(200);
        }
        person.byToken().delete(passkey(person) + "?force=true").expect(200);
    }

    @Test
    void a_registration_that_was_refused_for_an_old_sign_in_can_be_finished_after_a_new_one() {
        Person person = service.stranger().enroll();
        Person added = service.person(person.userId(), SoftAuthenticator.securityKey());
        Web user = person.byToken();
        service.clock().advance(Duration.ofSeconds(299));
        String created = added.browser()
                .create(user.get(Person.REGISTER_OPTIONS).expect(200).body());
        service.clock().advance(Duration.ofSeconds(2));
        user.post(Person.REGISTER_FINISH, created).expectProblem(403, "recent_login_required");

        person.byToken().post(Person.REGISTER_FINISH, created).expect(201);
    }

    @Test
    void how_old_a_sign_in_may_be_is_a_setting() {
        try (Service strict = Service.on(TestDatabase.SQLITE, "RECENT_LOGIN_SECONDS", "10")) {
            Web user = strict.stranger().enroll().byToken();
            user.get(Person.REGISTER_OPTIONS).expect(200);
            strict.clock().advance(Duration.ofSeconds(11));

            user.get(Person.REGISTER_OPTIONS).expectProblem(403, "recent_login_required");
        }
    }

    @Test
    void a_new_passkey_is_announced_at_the_next_sign_in_with_another_one_and_only_then() {
        Person owner = service.stranger().enroll();
        Person thief = service.person(owner.userId(), SoftAuthenticator.securityKey());
        Web stolen = owner.bySession().with("User-Agent", "Chrome/1 (Android)");
        service.clock().advance(Duration.ofSeconds(60));
        thief.register(stolen).expect(201);
        service.clock().advance(Duration.ofSeconds(60));

        assertThat(announced(stolen)).isEmpty();
        assertThat(announced(thief.bySession())).isEmpty();
        service.clock().advance(Duration.ofSeconds(60));
        Web next = owner.bySession();
        assertThat(announced(next))
                .extracting(passkey -> passkey.string("credentialId"))
                .containsExactly(thief.credentialId());
        assertThat(announced(next).get(0).string("userAgent")).isEqualTo("Chrome/1 (Android)");
        service.clock().advance(Duration.ofSeconds(60));
        assertThat(announced(owner.bySession())).isEmpty();
    }

    private static List<JsonObject> announced(Web user) {
        return user.get(Person.CREDENTIALS).expect(200).json().objects("credentials").stream()
                .filter(passkey -> passkey.flag("newSinceLastSignIn"))
                .toList();
    }

    @Test
    void a_user_has_as_many_passkeys_as_allowed_and_no_more() {
        try (Service small = Service.on(TestDatabase.SQLITE, "MAX_PASSKEYS_PER_USER", "2")) {
            Person person = small.stranger().enroll();
            Web user = person.byToken();
            Person second = small.person(person.userId(), SoftAuthenticator.securityKey());
            String late = user.get(Person.REGISTER_OPTIONS).expect(200).body();
            second.register(user).expect(201);

            user.get(Person.REGISTER_OPTIONS).expectProblem(409, "too_many_credentials");
            var third = small.person(person.userId(), SoftAuthenticator.securityKey());
            user.post(Person.REGISTER_FINISH, third.browser().create(late)).expectProblem(409, "too_many_credentials");
        }
    }

    @Test
    void an_enrollment_link_for_a_user_with_all_passkeys_is_refused_before_the_device_creates_a_key() {
        try (Service small = Service.on(TestDatabase.SQLITE, "MAX_PASSKEYS_PER_USER", "1")) {
            Person person = small.stranger().enroll();
            String token = small.admin()
                    .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                    .expect(201)
                    .json()
                    .string("token");

            small.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(409, "too_many_credentials");
        }
    }

    @Test
    void says_who_i_am_and_how_it_knows() {
        Person person = service.stranger().enroll();
        JsonObject byToken = person.byToken().get("/auth/session").expect(200).json();
        JsonObject bySession =
                person.bySession().get("/auth/session").expect(200).json();

        assertThat(byToken.string("userId")).isEqualTo(person.userId());
        assertThat(byToken.string("via")).isEqualTo("token");
        assertThat(bySession.string("via")).isEqualTo("session");
    }

    @Test
    void times_are_in_milliseconds() {
        Person person = service.stranger().enroll();
        Web here = person.bySession();
        long before = service.clock().millis();

        List<JsonObject> timed =
                new ArrayList<>(here.get("/auth/sessions").expect(200).json().objects("sessions"));
        timed.add(here.get("/auth/session").expect(200).json());
        timed.add(person.byToken().get("/auth/session").expect(200).json());

        long after = service.clock().millis();
        assertThat(timed).hasSize(4).allSatisfy(json -> {
            assertThat((Long) json.get("authTime")).isBetween(before - 60_000, after);
            assertThat((Long) json.get("expiresAt")).isBetween(before, after + 86_400_000);
        });
    }

    @Test
    void lists_my_sessions_and_ends_one_of_them() {
        Person person = service.stranger().enroll();
        Web here = person.bySession();
        Web there = person.bySession();
        List<JsonObject> sessions =
                here.get("/auth/sessions").expect(200).json().objects("sessions");
        assertThat(sessions).hasSize(3);
        assertThat(sessions).filteredOn(session -> session.flag("current")).hasSize(1);
        String other = sessions.stream()
                .filter(session -> !session.flag("current"))
                .findFirst()
                .orElseThrow()
                .string("session");

        service.stranger()
                .enroll()
                .bySession()
                .delete("/auth/sessions/" + other)
                .expectProblem(404, "not_found");
        here.delete("/auth/sessions/" + other).expect(204);

        there.get("/auth/session").expectProblem(401, "unauthenticated");
        here.get("/auth/session").expect(200);
        here.delete("/auth/sessions/" + other).expectProblem(404, "not_found");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /auth/passkey/register/options",
        "POST, /auth/passkey/register/finish",
        "GET, /auth/passkey/credentials",
        "PATCH, /auth/passkey/credentials/AAAA",
        "DELETE, /auth/passkey/credentials/AAAA",
        "GET, /auth/session",
        "GET, /auth/sessions",
        "DELETE, /auth/sessions/AAAA",
        "POST, /auth/logout",
    })
    void T17_who_is_not_signed_in_is_told_to(String method, String path) {
        Web nobody = service.web().with("Content-Type", "application/json");
        for (Web web : List.of(
                nobody,
                nobody.bearer(""),
                nobody.bearer("enroll_AAAA"),
                nobody.with("Authorization", "Basic YTpi"),
                nobody.with("Cookie", "porchlight=; porchlight=x"),
                nobody.with("Cookie", "=;;porchlight"))) {
            TestResponse reply =
                    web.send(method, path, BodyPublishers.ofString("{}")).expectProblem(401, "unauthenticated");
            assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer");
            assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        }
    }

    private static String passkey(Person person) {
        return Person.CREDENTIALS + "/" + person.credentialId();
    }
}
