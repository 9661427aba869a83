// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Precondition;
import dev.porchlight.testkit.tamper.Mutations;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringBootVersion;

/** What the testkit's hostile browser tries on the application, and what else no honest page would send. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileVisitorTest {
    private static final String FINISH = "/auth/passkey/login/finish";
    private static final String USER = "?userId=ada";
    private static final int LARGEST = 65_536;
    /** The application neither requires user verification nor trusts the kit's root: there, these are no mutations. */
    private static final Set<Precondition> ELSEWHERE =
            Set.of(Precondition.USER_VERIFICATION_REQUIRED, Precondition.ATTESTATION_TRUSTED);

    private final Hello hello = Hello.running();
    /** Whose authenticator holds a passkey of somebody else too. */
    private Visitor ada;
    /** The same user, whose passkey is synchronised. */
    private Visitor synced;
    /** Somebody else, at an authenticator that holds none of ada's. */
    private Visitor elsewhere;

    @BeforeAll
    void arrive() {
        SoftAuthenticator shared = SoftAuthenticator.builder().build();
        Strangers.grace(hello, shared);
        ada = hello.ada(shared);
        ada.browser().picks("ada");
        synced = hello.ada(SoftAuthenticator.builder().backup(true, true).build());
        elsewhere = Strangers.grace(hello, SoftAuthenticator.builder().build());
    }

    static Stream<Mutation> logins() {
        return mutations(CeremonyType.AUTHENTICATION, CeremonyType.USERNAMELESS);
    }

    static Stream<Mutation> registrations() {
        return mutations(CeremonyType.REGISTRATION);
    }

    private static Stream<Mutation> mutations(CeremonyType... ceremonies) {
        return Stream.of(ceremonies)
                .flatMap(ceremony -> Mutations.invalid(ceremony).stream())
                .filter(mutation -> mutation.preconditions().stream().noneMatch(ELSEWHERE::contains));
    }

    @ParameterizedTest
    @MethodSource("logins")
    void no_mutation_signs_anybody_in(Mutation mutation) {
        Visitor liar = (mutation.preconditions().contains(Precondition.BACKUP_ELIGIBLE) ? synced : ada).afresh();
        if (mutation.preconditions().contains(Precondition.COUNTED) || mutation.preconditions().contains(Precondition.EARLIER_CEREMONY)) {
            assertThat(liar.afresh().signIn(USER).statusCode()).isEqualTo(200);
        }
        String query = mutation.ceremony() == CeremonyType.USERNAMELESS ? "" : USER;
        String told = liar.browser().get(liar.signInOptions(query), mutation);

        HttpResponse<String> answer = liar.finishSignIn(query, told);

        assertThat(liar.session()).isEmpty();
        if (told.length() > LARGEST) {
            assertThat(answer.statusCode()).isEqualTo(413);
        } else {
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body())
                    .matches("\\{\"error\":\"Authentication failed\",\"code\":\"authentication_failed\",\"status\":401,"
                            + "\"correlationId\":\"[0-9a-f]{32}\"}");
        }
    }

    @ParameterizedTest
    @MethodSource("registrations")
    void no_mutation_registers_a_passkey(Mutation mutation) {
        if (mutation.preconditions().contains(Precondition.EARLIER_CEREMONY)) {
            elsewhere.signIn("?userId=grace"); // in vain, and the challenge is spent
        }
        String told = elsewhere.browser().create(synced.registrationOptions(), mutation);

        HttpResponse<String> answer = synced.finishRegistration(told);

        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        if (told.length() > LARGEST) {
            assertThat(answer.statusCode()).isEqualTo(413);
        } else {
            assertThat(answer.statusCode()).isIn(400, 409);
            assertThat(answer.body()).contains("\"error\":\"The passkey was not registered\"");
        }
    }

    @Test
    void an_answer_works_once() {
        Visitor thief = ada.afresh();
        String response = ada.browser().get(ada.signInOptions(USER));

        assertThat(ada.finishSignIn(USER, response).statusCode()).isEqualTo(200);
        assertThat(thief.finishSignIn(USER, response).statusCode()).isEqualTo(401);
    }

    @Test
    void users_who_do_not_exist_look_as_if_they_did() {
        String options = ada.signInOptions("?userId=nobody");

        assertThat(options).isNotEqualTo(ada.signInOptions("?userId=nobody")); // the challenge
        assertThat(allowed(options)).isNotEmpty().isEqualTo(allowed(ada.signInOptions("?userId=nobody")));
    }

    private static List<String> allowed(String options) {
        return Pattern.compile("\"id\":\"([^\"]+)\"")
                .matcher(options)
                .results()
                .map(id -> id.group(1))
                .toList();
    }

    @Test
    void only_json_of_a_bounded_size_is_read() {
        assertThat(ada.post(FINISH + USER, "text/plain", "{}").statusCode()).isEqualTo(415);
        assertThat(ada.post(FINISH + USER, "application/x-www-form-urlencoded", "userId=ada")
                        .statusCode())
                .isEqualTo(415);
        assertThat(ada.post(FINISH + USER, Visitor.JSON, " ".repeat(65_537)).statusCode())
                .isEqualTo(413);
        assertThat(ada.post(FINISH + USER, Visitor.JSON, "{".repeat(65_536)).statusCode())
                .isEqualTo(401);
        var chunked = ada.request(FINISH + USER)
                .header("Content-Type", Visitor.JSON)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[70_000])));
        assertThat(ada.send(chunked).statusCode()).isEqualTo(413);
    }

    @Test
    void user_ids_that_are_none_are_refused_as_the_callers_fault() {
        assertThat(ada.get("/auth/passkey/login/options?userId=").statusCode()).isEqualTo(400);
        assertThat(ada.get("/auth/passkey/login/options?userId=a%00b").statusCode())
                .isEqualTo(400);
        assertThat(ada.get("/auth/passkey/login/options?userId=" + "a".repeat(257))
                        .statusCode())
                .isEqualTo(400);
        assertThat(ada.get("/auth/passkey/login/options?userId=ada&userId=grace")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void a_query_that_cannot_be_decoded_is_the_callers_fault() {
        String answer = ada.sendAsWritten("POST " + FINISH + "?userId=%zz", "Content-Type: " + Visitor.JSON);

        if (SpringBootVersion.getVersion().startsWith("3.")) {
            assertThat(answer).startsWith("HTTP/1.1 401 "); // this Tomcat drops such a parameter: nobody is named
        } else {
            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"code\":\"malformed_request\"");
        }
    }

    @Test
    void a_header_that_spring_security_refuses_is_the_callers_fault() {
        for (String name : List.of("Sec-Fetch-Site", "Origin", "Content-Encoding", "X-Correlation-ID")) {
            String control = name + ": a\u0085b";
            assertThat(ada.sendAsWritten("GET /auth/passkey/login/options", control))
                    .as(name)
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void other_sites_and_siblings_are_turned_away() {
        for (String site : List.of("cross-site", "same-site")) {
            var options = ada.request("/auth/passkey/login/options").header("Sec-Fetch-Site", site);
            assertThat(ada.send(options).statusCode()).isEqualTo(403);
        }
        var older = ada.request("/auth/passkey/login/options").header("Origin", "https://evil.example");
        assertThat(ada.send(older).statusCode()).isEqualTo(403);
        var own = ada.request("/auth/passkey/login/options").header("Sec-Fetch-Site", "same-origin");
        assertThat(ada.send(own).statusCode()).isEqualTo(200);
    }

    @Test
    void other_methods_are_told_which_one_is_right() {
        HttpResponse<String> answer = ada.get(FINISH);

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).hasValue("POST");
        assertThat(answer.body()).contains("\"code\":\"method_not_allowed\"");
    }

    @Test
    void the_callers_correlation_id_is_kept_if_it_is_harmless() {
        var harmless = ada.request(FINISH).header("X-Correlation-ID", "order-4711");
        var harmful = ada.request(FINISH).header("X-Correlation-ID", "<script>");

        assertThat(ada.send(harmless).body()).contains("\"correlationId\":\"order-4711\"");
        assertThat(ada.send(harmful).body()).doesNotContain("script");
    }
}
