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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Account routes: a user lists, renames, removes and ends their own passkeys and sessions. */
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
    void the_list_contains_only_the_users_own_passkeys() {
        service.newUser().enroll();
        Person person = service.newUser().enroll();

        JsonObject listed = person.byToken().get(Person.CREDENTIALS).expect(200).json();

        assertThat(listed.objects("passkeys")).hasSize(1);
        JsonObject passkey = listed.objects("passkeys").get(0);
        assertThat(passkey.string("credentialId")).isEqualTo(person.credentialId());
        assertThat((Long) passkey.get("createdAt")).isPositive();
        assertThat((Long) passkey.get("lastUsedAt")).isPositive();
        assertThat(listed.toString()).doesNotContain("public");
    }

    @Test
    void a_passkey_can_be_renamed() {
        Person person = service.newUser().enroll();
        Web user = person.byToken();

        user.patch(passkey(person), "{\"name\":\"my <b>key</b>\"}").expect(200);

        assertThat(user.get(Person.CREDENTIALS)
                        .json()
                        .objects("passkeys")
                        .get(0)
                        .string("name"))
                .isEqualTo("my <b>key</b>");
    }

    @Test
    void a_logout_with_a_token_ends_nothing_and_leaves_no_audit_row() {
        Person person = service.newUser().enroll();
        Web user = person.byToken();
        String rows = auditOf(person);

        user.post("/auth/logout").expect(204);

        assertThat(auditOf(person)).isEqualTo(rows);
    }

    private static String auditOf(Person person) {
        return service.admin()
                .get("/admin/audit" + Web.user(person.userId()))
                .expect(200)
                .body();
    }

    @Test
    void a_user_who_renames_a_passkey_in_a_loop_leaves_one_audit_row_in_five_minutes() {
        try (Service own = Service.on(TestDatabase.SQLITE)) {
            Person person = own.newUser().enroll();
            Web user = person.bySession();
            rename(user, person, "same");
            rename(user, person, "same");
            assertThat(renames(own)).as("an equal name").containsExactly(0L);
            for (int i = 0; i < 4; i++) {
                rename(user, person, "name " + i);
            }
            assertThat(renames(own)).containsExactly(0L);

            own.clock().advance(Duration.ofMinutes(6));
            rename(user, person, "later");
            assertThat(renames(own)).containsExactly(0L, 4L);
            rename(person.bySession(), person, "in another session");
            assertThat(renames(own)).containsExactly(0L, 4L, 0L);
        }
    }

    private static void rename(Web user, Person person, String name) {
        user.patch(passkey(person), "{\"name\":\"" + name + "\"}").expect(200);
        assertThat(user.get(Person.CREDENTIALS).expect(200).body()).contains("\"name\":\"" + name + '"');
    }

    private static List<Long> renames(Service service) {
        return service.withSql(sql -> sql.query(
                "SELECT further FROM porchlight_audit WHERE action = 'passkey_renamed' ORDER BY at, seq",
                row -> row.getLong(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\":7}", "{\"name\":\"\"}", "{\"name\":\"a\\u0000\"}", "[]"})
    void an_invalid_name_is_refused(String body) {
        Person person = service.newUser().enroll();

        person.byToken().patch(passkey(person), body).expectProblem(400, "malformed_request");
    }

    @Test
    void T19_another_users_passkey_is_not_found() {
        Person owner = service.newUser().enroll();
        Web other = service.newUser().enroll().byToken();

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
    void T19_the_last_passkey_is_removed_only_with_force_and_a_recent_login() {
        Person person = service.newUser().enroll();
        Web user = person.byToken();
        user.delete(passkey(person)).expectProblem(409, "last_credential");
        user.delete(passkey(person) + "?force=false").expectProblem(409, "last_credential");

        user.delete(passkey(person) + "?force=true").expect(200);

        person.loginRegardless().expectProblem(401, "authentication_failed");
    }

    @Test
    void T19_a_five_minute_old_sign_in_cannot_add_or_remove_a_passkey() {
        Person person = service.newUser().enroll();
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
    void a_registration_refused_for_an_old_sign_in_succeeds_after_a_new_one() {
        Person person = service.newUser().enroll();
        Person added = service.person(person.userId(), SoftAuthenticator.securityKey());
        Web user = person.byToken();
        service.clock().advance(Duration.ofMinutes(3));
        String created = added.browser()
                .create(user.get(Person.REGISTER_OPTIONS).expect(200).body());
        service.clock().advance(Duration.ofMinutes(3));
        user.post(Person.REGISTER_FINISH, created).expectProblem(403, "recent_login_required");

        person.byToken().post(Person.REGISTER_FINISH, created).expect(201);
    }

    @Test
    void the_maximum_age_of_a_sign_in_is_configurable() {
        try (Service strict = Service.on(TestDatabase.SQLITE, "RECENT_LOGIN_SECONDS", "60")) {
            Web user = strict.newUser().enroll().byToken();
            user.get(Person.REGISTER_OPTIONS).expect(200);
            strict.clock().advance(Duration.ofSeconds(61));

            user.get(Person.REGISTER_OPTIONS).expectProblem(403, "recent_login_required");
        }
    }

    @Test
    void a_new_passkey_is_announced_once_at_the_next_sign_in_with_another_passkey() {
        Person owner = service.newUser().enroll();
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
        return user.get(Person.CREDENTIALS).expect(200).json().objects("passkeys").stream()
                .filter(passkey -> passkey.flag("newSinceLastLogin"))
                .toList();
    }

    @Test
    void the_number_of_passkeys_per_user_is_limited() {
        try (Service small = Service.on(TestDatabase.SQLITE, "MAX_PASSKEYS_PER_USER", "2")) {
            Person person = small.newUser().enroll();
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
    void an_enrollment_link_beyond_the_passkey_limit_is_refused_before_a_key_is_created() {
        try (Service small = Service.on(TestDatabase.SQLITE, "MAX_PASSKEYS_PER_USER", "1")) {
            Person person = small.newUser().enroll();
            String token = small.admin()
                    .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                    .expect(201)
                    .json()
                    .string("token");

            small.web().bearer(token).get(Person.REGISTER_OPTIONS).expectProblem(409, "too_many_credentials");
        }
    }

    @Test
    void the_session_route_returns_the_user_and_the_authentication_method() {
        Person person = service.newUser().enroll();
        JsonObject byToken = person.byToken().get("/auth/session").expect(200).json();
        JsonObject bySession =
                person.bySession().get("/auth/session").expect(200).json();

        assertThat(byToken.string("userId")).isEqualTo(person.userId());
        assertThat(byToken.string("via")).isEqualTo("token");
        assertThat(bySession.string("via")).isEqualTo("session");
    }

    @Test
    void times_are_in_milliseconds() {
        Person person = service.newUser().enroll();
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
    void a_user_lists_and_ends_sessions() {
        Person person = service.newUser().enroll();
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

        service.newUser().enroll().bySession().delete("/auth/sessions/" + other).expectProblem(404, "not_found");
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
    void T17_a_request_without_a_sign_in_is_refused(String method, String path) {
        Web anonymous = service.web().with("Content-Type", "application/json");
        Web enrolling = anonymous.bearer("enroll_AAAA");
        for (Web web : List.of(
                anonymous,
                anonymous.bearer(""),
                enrolling,
                anonymous.with("Authorization", "Basic YTpi"),
                anonymous.with("Cookie", "porchlight=; porchlight=x"),
                anonymous.with("Cookie", "=;;porchlight"))) {
            boolean link = web == enrolling && path.contains("/register/");
            TestResponse response =
                    web.send(method, path, "{}").expectProblem(401, link ? "enrollment_damaged" : "unauthenticated");
            assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer");
            assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        }
    }

    private static String passkey(Person person) {
        return Person.CREDENTIALS + "/" + person.credentialId();
    }
}
