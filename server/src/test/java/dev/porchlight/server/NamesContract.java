// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** User names stay reserved, and unfinished sign-ups store nothing. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class NamesContract {
    private static final List<String> TABLES = List.of(
            "passkey_user",
            "passkey_credential",
            "passkey_challenge",
            "passkey_used_challenge",
            "porchlight_sealed_entry",
            "porchlight_audit",
            "porchlight_name",
            "porchlight_passkey_source",
            "porchlight_user_access");

    private Service service;

    abstract TestDatabase database();

    @BeforeAll
    void start() {
        service = Service.on(database());
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @Test
    void a_name_stays_reserved_after_its_last_passkey_was_removed() {
        Person person = service.newUser().enroll();
        Web user = person.byToken();
        user.delete(Person.CREDENTIALS + "/" + person.credentialId() + "?force=true")
                .expect(200);

        signUp(person.userId()).expectProblem(409, "user_exists");
    }

    @Test
    void a_name_that_differs_only_in_case_or_compatibility_form_is_refused() {
        service.person("Strasse ﬁne", SoftAuthenticator.securityKey()).enroll();

        for (String same : List.of("STRASSE FINE", "straße ﬁne", "STRAẞE FINE", "ｓｔｒａｓｓｅ fine", "Strasse ﬁne")) {
            signUp(same).expectProblem(409, "user_exists");
            invite(same).expect(same.equals("Strasse ﬁne") ? 201 : 409);
        }
        for (String invisible : List.of("\ufe0f", "\u034f", "\u180b", "\udb40\udd00")) {
            signUp("Strasse" + invisible + " fine").expectProblem(409, "user_exists");
        }
        signUp("Strasse fein").expect(201);
    }

    @Test
    void one_of_many_concurrent_sign_ups_under_spellings_of_a_name_succeeds() throws Exception {
        List<Person> people = List.of(
                service.person("Grace", SoftAuthenticator.securityKey()),
                service.person("grace", SoftAuthenticator.securityKey()),
                service.person("GRACE", SoftAuthenticator.securityKey()));
        List<Callable<Integer>> acts = people.stream()
                .map(person -> {
                    Web bearer = service.web().bearer(person.enrollmentToken());
                    String created = person.browser()
                            .create(bearer.get(Person.REGISTER_OPTIONS)
                                    .expect(200)
                                    .body());
                    return (Callable<Integer>)
                            () -> bearer.post(Person.REGISTER_FINISH, created).status();
                })
                .toList();

        assertThat(Together.run(acts)).containsExactlyInAnyOrder(201, 409, 409);
    }

    @Test
    void sign_ups_and_options_without_a_registration_write_no_row() {
        Map<String, Long> before = rows();

        for (int i = 0; i < 3; i++) {
            String token = signUp("a new user").expect(201).json().string("token");
            service.web().bearer(token).get(Person.REGISTER_OPTIONS).expect(200);
        }

        assertThat(rows()).isEqualTo(before);
    }

    @Test
    void a_sign_up_cannot_void_an_operators_link_or_plant_a_display_name() {
        String planted = service.web()
                .post("/auth/signup", "{\"userId\":\"linus\",\"displayName\":\"Mallory\"}")
                .expect(201)
                .json()
                .string("token");
        service.web().bearer(planted).get(Person.REGISTER_OPTIONS).expect(200);
        Person mallory = service.person("linus", SoftAuthenticator.securityKey());
        String created = mallory.browser()
                .create(service.web()
                        .bearer(planted)
                        .get(Person.REGISTER_OPTIONS)
                        .body());
        String link = invite("linus").expect(201).json().string("token");

        for (int i = 0; i < 300; i++) {
            signUp(i % 2 == 0 ? "linus" : "Linus").expectProblem(409, "user_exists");
        }
        service.web().bearer(planted).post(Person.REGISTER_FINISH, created).expectProblem(409, "user_exists");
        service.web().bearer(planted).get(Person.REGISTER_OPTIONS).expectProblem(409, "user_exists");

        JsonObject shown = service.web()
                .bearer(link)
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .json()
                .object("user");
        assertThat(shown.string("displayName")).isEqualTo("linus");
        Person linus = service.person("linus", SoftAuthenticator.securityKey());
        linus.register(link).expect(201);
        linus.login().expect(200);
    }

    @Test
    void the_user_handle_is_the_same_in_all_options_and_after_the_registration() {
        Person person = service.newUser();
        String token = person.enrollmentToken();
        String first = handle(token);
        assertThat(handle(token)).isEqualTo(first);
        person.register(token).expect(201);

        JsonObject listing =
                person.byToken().get(Person.CREDENTIALS).expect(200).json();
        assertThat(listing.object("allAcceptedCredentials").string("userId")).isEqualTo(first);
        assertThat(handle(service.newUser().enrollmentToken())).isNotEqualTo(first);
    }

    private String handle(String token) {
        return service.web()
                .bearer(token)
                .get(Person.REGISTER_OPTIONS)
                .expect(200)
                .json()
                .object("user")
                .string("id");
    }

    private TestResponse invite(String userId) {
        return service.admin().post("/admin/enrollments", "{\"userId\":\"" + userId + "\"}");
    }

    private TestResponse signUp(String userId) {
        return service.web()
                .post("/auth/signup", new JsonObject().put("userId", userId).toString());
    }

    private Map<String, Long> rows() {
        return service.withSql(sql -> {
            Map<String, Long> counts = new TreeMap<>();
            for (String table : TABLES) {
                counts.put(
                        table,
                        sql.query("SELECT count(*) FROM " + table, row -> row.getLong(1))
                                .get(0));
            }
            return counts;
        });
    }
}
