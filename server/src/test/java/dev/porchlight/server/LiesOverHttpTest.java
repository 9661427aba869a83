// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.tamper.Ceremony;
import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Premise;
import dev.porchlight.testkit.tamper.Tamper;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit's lies, told over HTTP: what the answers to them give away, which for a login is nothing. */
@Tag("slow")
class LiesOverHttpTest {
    private static final int MAX_BODY = 65_536;
    private static final Set<String> NOT_JSON = Set.of("body-not-json", "body-empty", "body-with-a-tail");
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE, "USER_VERIFICATION", "required");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    static Stream<Lie> loginLies() {
        return Stream.concat(
                Tamper.lies(Ceremony.AUTHENTICATION).stream(), Tamper.lies(Ceremony.USERNAMELESS).stream());
    }

    /** Trust in the kit's root cannot be configured; those lies are told to the library itself. */
    static Stream<Lie> registrationLies() {
        return Tamper.lies(Ceremony.REGISTRATION).stream()
                .filter(lie -> !lie.premises().contains(Premise.ATTESTATION_TRUSTED));
    }

    @ParameterizedTest
    @MethodSource("loginLies")
    void T42_every_refused_login_is_answered_alike(Lie lie) {
        Person person = prepare(lie);
        String query = lie.ceremony() == Ceremony.USERNAMELESS ? "" : Web.user(person.userId());
        String options =
                service.web().get(Person.LOGIN_OPTIONS + query).expect(200).body();

        String told = person.browser().get(options, lie);
        TestResponse reply = service.web().post(Person.LOGIN_FINISH + query, told);

        if (told.length() > MAX_BODY) {
            reply.expectProblem(413, "body_too_large");
            return;
        }
        if (NOT_JSON.contains(lie.name())) {
            reply.expectProblem(400, "malformed_json");
            return;
        }
        assertThat(reply.expectProblem(401, "authentication_failed").json().remove("correlationId"))
                .hasToString("{\"error\":\"Authentication failed\",\"code\":\"authentication_failed\",\"status\":401}");
        assertThat(headers(reply)).isEqualTo(headers(service.web().post(Person.LOGIN_FINISH + query, "{}")));
    }

    private static Map<String, List<String>> headers(TestResponse reply) {
        Map<String, List<String>> headers = new TreeMap<>(reply.headers().map());
        headers.keySet().removeAll(Set.of("date", "x-correlation-id"));
        return headers;
    }

    @ParameterizedTest
    @MethodSource("registrationLies")
    void a_refused_registration_is_answered_with_the_code_of_the_step(Lie lie) {
        Person person = prepare(lie);
        Web bearer = service.web().bearer(person.enrollmentToken());
        String told =
                person.browser().create(bearer.get(Person.REGISTER_OPTIONS).body(), lie);

        TestResponse reply = bearer.post(Person.REGISTER_FINISH, told);

        if (told.length() > MAX_BODY) {
            reply.expectProblem(413, "body_too_large");
            return;
        }
        String code = reply.json().string("code");
        assertThat(Arrays.stream(Step.values()).map(Step::code)).contains(code);
        reply.expectProblem(code.equals("credential_exists") ? 409 : 400, code);
        person.loginOptions();
        service.web()
                .post(
                        "/auth/signup",
                        new JsonObject().put("userId", person.userId()).toString())
                .expect(201);
    }

    private static Person prepare(Lie lie) {
        Set<Premise> premises = lie.premises();
        boolean eligible = premises.contains(Premise.BACKUP_ELIGIBLE);
        var authenticator = SoftAuthenticator.builder()
                .attestation(AttestationFormat.NONE)
                .backup(eligible, eligible)
                .build();
        if (premises.contains(Premise.ANOTHER_USER)) {
            service.stranger(authenticator).enroll();
        }
        Person person = service.stranger(authenticator);
        boolean earlier = premises.contains(Premise.EARLIER_CEREMONY) || premises.contains(Premise.COUNTED);
        if (lie.ceremony() != Ceremony.REGISTRATION) {
            person.enroll();
            if (earlier) {
                person.login().expect(200);
            }
        } else if (earlier) {
            enrollInTheSameBrowser(person);
        }
        return person;
    }

    /** Somebody else registers first, with the browser that then lies. */
    private static void enrollInTheSameBrowser(Person person) {
        Person predecessor = service.stranger();
        Web bearer = service.web().bearer(predecessor.enrollmentToken());
        String options = bearer.get(Person.REGISTER_OPTIONS).body();
        bearer.post(Person.REGISTER_FINISH, person.browser().create(options)).expect(201);
    }
}
