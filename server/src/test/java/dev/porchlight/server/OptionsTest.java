// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.Mediation;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON of the options, and what it reveals. */
class OptionsTest {
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE, "RP_NAME", "Tests");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void creation_options_are_the_json_of_webauthn() {
        Person person = service.newUser().enroll();
        TestResponse response = person.byToken().get(Person.REGISTER_OPTIONS).expect(200);
        JsonObject options = response.json();

        assertThat(response.header("Content-Type")).isEqualTo("application/json");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(options.object("rp").string("id")).isEqualTo("localhost");
        assertThat(options.object("rp").string("name")).isEqualTo("Tests");
        assertThat(options.object("user").octets("id")).hasSizeBetween(16, 64);
        assertThat(options.object("user").string("id")).doesNotContain(person.userId());
        assertThat(options.octets("challenge")).hasSizeGreaterThanOrEqualTo(32);
        assertThat(options.objects("pubKeyCredParams").get(0).integer("alg")).isEqualTo(-7);
        assertThat(options.integer("timeout")).isEqualTo(300_000);
        assertThat(options.string("attestation")).isEqualTo("none");
        JsonObject excluded = options.objects("excludeCredentials").get(0);
        assertThat(excluded.string("id")).isEqualTo(person.credentialId());
        assertThat(excluded.string("type")).isEqualTo("public-key");
        assertThat((List<?>) excluded.get("transports")).isEqualTo(List.of("usb"));
    }

    @Test
    void request_options_are_the_json_of_webauthn() {
        Person person = service.newUser().enroll();
        JsonObject options = JsonObject.parse(person.loginOptions());

        assertThat(options.names())
                .contains("challenge", "timeout", "rpId", "allowCredentials", "userVerification")
                .isSubsetOf(
                        "challenge", "timeout", "rpId", "allowCredentials", "userVerification", "hints", "extensions");
        assertThat(options.string("rpId")).isEqualTo("localhost");
        assertThat(options.string("userVerification")).isEqualTo("preferred");
        JsonObject allowed = options.objects("allowCredentials").get(0);
        assertThat(allowed.names()).containsExactlyInAnyOrder("type", "id", "transports");
        assertThat(allowed.string("id")).isEqualTo(person.credentialId());
    }

    @Test
    void T23_presence_is_waived_for_a_signed_in_user_who_asks_for_it_and_for_no_enrollment() {
        Web user = service.newUser().enroll().byToken();
        Person device = service.newUser(SoftAuthenticator.syncedPasskeys());
        String options = "?mediation=conditional";
        assertThat(createdWithout(device, user, "")).isEqualTo(400);
        assertThat(createdWithout(device, user, options)).isEqualTo(201);
        Web enrollment = service.web().bearer(device.enrollmentToken());
        assertThat(createdWithout(device, enrollment, options)).isEqualTo(400);
    }

    @Test
    void T23_an_enrollment_accepts_no_options_that_waive_presence() {
        Person person = service.newUser(SoftAuthenticator.syncedPasskeys()).enroll();
        Person device = service.newUser(SoftAuthenticator.syncedPasskeys());
        String invitation = service.admin()
                .post("/admin/enrollments", "{\"userId\":\"" + person.userId() + "\"}")
                .expect(201)
                .json()
                .string("token");
        Web enrollment = service.web().bearer(invitation);
        for (Mediation mediation : Mediation.values()) {
            String waived = person.byToken()
                    .get(Person.REGISTER_OPTIONS + "?mediation=conditional")
                    .expect(200)
                    .body();
            enrollment
                    .post(Person.REGISTER_FINISH, device.browser().create(waived, mediation))
                    .expectProblem(400, "wrong_ceremony");
        }
        String prompted = enrollment.get(Person.REGISTER_OPTIONS).expect(200).body();
        enrollment
                .post(Person.REGISTER_FINISH, device.browser().create(prompted))
                .expect(201);
    }

    /** The status of a registration by a passkey manager that did not ask the user. */
    private static int createdWithout(Person device, Web caller, String query) {
        String options = caller.get(Person.REGISTER_OPTIONS + query).expect(200).body();
        return caller.post(Person.REGISTER_FINISH, device.browser().create(options, Mediation.CONDITIONAL))
                .status();
    }

    @Test
    void options_without_a_user_id_name_no_passkey() {
        JsonObject options = service.web().get(Person.LOGIN_OPTIONS).expect(200).json();

        assertThat((List<?>) options.get("allowCredentials")).isEmpty();
    }

    @Test
    void T06_challenges_are_unique() {
        Person person = service.newUser().enroll();
        Set<String> challenges = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            challenges.add(JsonObject.parse(person.loginOptions()).string("challenge"));
        }
        assertThat(challenges).hasSize(20);
    }

    @Test
    void T42_an_unknown_user_gets_stable_decoys() {
        Person unknown = service.newUser();
        JsonObject first = JsonObject.parse(unknown.loginOptions());
        JsonObject again = JsonObject.parse(unknown.loginOptions());
        JsonObject other = JsonObject.parse(service.newUser().loginOptions());

        assertThat(first.get("allowCredentials").toString())
                .isEqualTo(again.get("allowCredentials").toString())
                .isNotEqualTo(other.get("allowCredentials").toString());
        assertThat(first.string("challenge")).isNotEqualTo(again.string("challenge"));
    }

    @Test
    void T42_options_do_not_reveal_whether_a_user_exists() {
        TestResponse known = service.web()
                .get(Person.LOGIN_OPTIONS
                        + Web.user(service.newUser(SoftAuthenticator.syncedPasskeys())
                                .enroll()
                                .userId()));
        TestResponse unknown = service.web()
                .get(Person.LOGIN_OPTIONS
                        + Web.user(service.newUser(SoftAuthenticator.syncedPasskeys())
                                .userId()));

        assertThat(unknown.status()).isEqualTo(known.status()).isEqualTo(200);
        assertThat(shape(unknown)).isEqualTo(shape(known));
        assertThat(unknown.json().octets("challenge"))
                .hasSameSizeAs(known.json().octets("challenge"));
        assertThat(unknown.headers().map().keySet())
                .isEqualTo(known.headers().map().keySet());
    }

    @Test
    void T42_decoys_survive_a_restart_and_differ_between_services() {
        String url = TestDatabase.SQLITE.freshUrl();
        String before = decoys(url, Service.SECRET);

        assertThat(decoys(url, Service.SECRET)).isEqualTo(before);
        assertThat(decoys(TestDatabase.SQLITE.freshUrl(), Service.SECRET + "!")).isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?userId=a&userId=b", "?userId=%ff", "?userId=%C0%80"})
    void an_invalid_user_id_in_the_query_is_refused(String query) {
        service.web().get(Person.LOGIN_OPTIONS + query).expectProblem(400, "malformed_request");
        service.web().post(Person.LOGIN_FINISH + query, "{}").expectProblem(400, "malformed_request");
    }

    private static String decoys(String url, String secret) {
        try (Service restarted = Service.at(url, "SESSION_SECRET", secret)) {
            return restarted
                    .web()
                    .get(Person.LOGIN_OPTIONS + Web.user("unknown"))
                    .json()
                    .get("allowCredentials")
                    .toString();
        }
    }

    private static String shape(TestResponse options) {
        JsonObject json = options.json();
        return json.names() + " " + json.objects("allowCredentials").get(0).names();
    }
}
