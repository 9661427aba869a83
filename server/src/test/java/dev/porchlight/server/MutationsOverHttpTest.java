// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
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

/** The testkit's tampered responses over HTTP: refused logins reveal nothing in their responses. */
@Tag("slow")
class MutationsOverHttpTest {
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

    static Stream<Mutation> loginMutations() {
        return Stream.concat(
                Mutations.invalid(CeremonyType.AUTHENTICATION).stream(),
                Mutations.invalid(CeremonyType.USERNAMELESS).stream());
    }

    /** Trust in the testkit's root cannot be configured; the library's own tests cover that. */
    static Stream<Mutation> registrationMutations() {
        return Mutations.invalid(CeremonyType.REGISTRATION).stream()
                .filter(mutation -> !mutation.preconditions().contains(Precondition.ATTESTATION_TRUSTED));
    }

    @ParameterizedTest
    @MethodSource("loginMutations")
    void T42_every_refused_login_gets_the_same_response(Mutation mutation) {
        Person person = prepare(mutation);
        String query = mutation.ceremony() == CeremonyType.USERNAMELESS ? "" : Web.user(person.userId());
        String options =
                service.web().get(Person.LOGIN_OPTIONS + query).expect(200).body();

        String tampered = person.browser().get(options, mutation);
        TestResponse response = service.web().post(Person.LOGIN_FINISH + query, tampered);

        if (tampered.length() > MAX_BODY) {
            response.expectProblem(413, "body_too_large");
            return;
        }
        if (NOT_JSON.contains(mutation.name())) {
            response.expectProblem(400, "malformed_json");
            return;
        }
        assertThat(response.expectProblem(401, "authentication_failed").json().remove("correlationId"))
                .hasToString("{\"error\":\"Authentication failed\",\"code\":\"authentication_failed\",\"status\":401}");
        assertThat(headers(response)).isEqualTo(headers(service.web().post(Person.LOGIN_FINISH + query, "{}")));
    }

    private static Map<String, List<String>> headers(TestResponse response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
        headers.keySet().removeAll(Set.of("date", "x-correlation-id"));
        return headers;
    }

    @ParameterizedTest
    @MethodSource("registrationMutations")
    void a_refused_registration_returns_the_code_of_the_step(Mutation mutation) {
        Person person = prepare(mutation);
        Web bearer = service.web().bearer(person.enrollmentToken());
        String tampered =
                person.browser().create(bearer.get(Person.REGISTER_OPTIONS).body(), mutation);

        TestResponse response = bearer.post(Person.REGISTER_FINISH, tampered);

        if (tampered.length() > MAX_BODY) {
            response.expectProblem(413, "body_too_large");
            return;
        }
        String code = response.json().string("code");
        assertThat(Arrays.stream(Step.values()).map(Step::code)).contains(code);
        response.expectProblem(code.equals("credential_exists") ? 409 : 400, code);
        person.loginOptions();
        service.web()
                .post(
                        "/auth/signup",
                        new JsonObject().put("userId", person.userId()).toString())
                .expect(201);
    }

    private static Person prepare(Mutation mutation) {
        Set<Precondition> preconditions = mutation.preconditions();
        boolean eligible = preconditions.contains(Precondition.BACKUP_ELIGIBLE);
        var authenticator = SoftAuthenticator.builder()
                .attestation(AttestationFormat.NONE)
                .backup(eligible, eligible)
                .build();
        if (preconditions.contains(Precondition.ANOTHER_USER)) {
            service.newUser(authenticator).enroll();
        }
        Person person = service.newUser(authenticator);
        boolean earlier =
                preconditions.contains(Precondition.EARLIER_CEREMONY) || preconditions.contains(Precondition.COUNTED);
        if (mutation.ceremony() != CeremonyType.REGISTRATION) {
            person.enroll();
            if (earlier) {
                person.login().expect(200);
            }
        } else if (earlier) {
            enrollInTheSameBrowser(person);
        }
        return person;
    }

    /** Registers another user first, with the browser that then tampers. */
    private static void enrollInTheSameBrowser(Person person) {
        Person predecessor = service.newUser();
        Web bearer = service.web().bearer(predecessor.enrollmentToken());
        String options = bearer.get(Person.REGISTER_OPTIONS).body();
        bearer.post(Person.REGISTER_FINISH, person.browser().create(options)).expect(201);
    }
}
