// SPDX-License-Identifier: Apache-2.0
package com.example.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
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

/** Sends the testkit's mutations and other hostile requests to the application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileVisitorTest {
    private static final String FINISH = "/auth/passkey/login/finish";
    private static final String USER = "?userId=ada";
    private static final int LARGEST = 65_536;
    /**
     * Preconditions that the application does not meet: it neither requires user verification nor trusts the kit's
     * root.
     */
    private static final Set<Precondition> UNMET =
            Set.of(Precondition.USER_VERIFICATION_REQUIRED, Precondition.ATTESTATION_TRUSTED);

    private final Hello hello = Hello.running();
    /** A user whose authenticator also holds a passkey of another user. */
    private Visitor ada;
    /** The same user with a synced passkey. */
    private Visitor synced;
    /** Another user, with an authenticator that holds no passkey of ada. */
    private Visitor elsewhere;

    @BeforeAll
    void arrive() {
        SoftAuthenticator shared = SoftAuthenticator.builder().build();
        UnknownUsers.grace(hello, shared);
        ada = hello.ada(shared);
        ada.browser().picks("ada");
        synced = hello.ada(SoftAuthenticator.builder().backup(true, true).build());
        elsewhere = UnknownUsers.grace(hello, SoftAuthenticator.builder().build());
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
                .filter(mutation -> mutation.preconditions().stream().noneMatch(UNMET::contains));
    }

    @ParameterizedTest
    @MethodSource("logins")
    void no_mutation_signs_in(Mutation mutation) {
        Visitor attacker =
                (mutation.preconditions().contains(Precondition.BACKUP_ELIGIBLE) ? synced : ada).withoutCookies();
        if (mutation.preconditions().contains(Precondition.COUNTED)
                || mutation.preconditions().contains(Precondition.EARLIER_CEREMONY)) {
            assertThat(attacker.withoutCookies().signIn(USER).statusCode()).isEqualTo(200);
        }
        String query = mutation.ceremony() == CeremonyType.USERNAMELESS ? "" : USER;
        String mutated = attacker.browser().get(attacker.signInOptions(query), mutation);

        HttpResponse<String> response = attacker.finishSignIn(query, mutated);

        assertThat(attacker.session()).isEmpty();
        if (mutated.length() > LARGEST) {
            assertThat(response.statusCode()).isEqualTo(413);
        } else {
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.body())
                    .matches("\\{\"error\":\"Authentication failed\",\"code\":\"authentication_failed\",\"status\":401,"
                            + "\"correlationId\":\"[0-9a-f]{32}\"}");
        }
    }

    @ParameterizedTest
    @MethodSource("registrations")
    void no_mutation_registers_a_passkey(Mutation mutation) {
        if (mutation.preconditions().contains(Precondition.EARLIER_CEREMONY)) {
            elsewhere.signIn("?userId=grace"); // fails and consumes the challenge
        }
        String mutated = elsewhere.browser().create(synced.registrationOptions(), mutation);

        HttpResponse<String> response = synced.finishRegistration(mutated);

        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        if (mutated.length() > LARGEST) {
            assertThat(response.statusCode()).isEqualTo(413);
        } else {
            assertThat(response.statusCode()).isIn(400, 409);
            assertThat(response.body()).contains("\"error\":\"The passkey was not registered.\"");
        }
    }

    @Test
    void a_response_works_once() {
        Visitor thief = ada.withoutCookies();
        String response = ada.browser().get(ada.signInOptions(USER));

        assertThat(ada.finishSignIn(USER, response).statusCode()).isEqualTo(200);
        assertThat(thief.finishSignIn(USER, response).statusCode()).isEqualTo(401);
    }

    @Test
    void unknown_users_get_decoys() {
        String first = ada.signInOptions("?userId=unknown");
        String second = ada.signInOptions("?userId=unknown");
        String third = ada.signInOptions("?userId=unknown");

        assertThat(first).isNotEqualTo(second); // the challenge
        // Decoys resemble the passkeys of the application, and follow them within seconds.
        assertThat(allowed(second)).isNotEmpty().isIn(allowed(first), allowed(third));
    }

    private static List<String> allowed(String options) {
        return Pattern.compile("\"id\":\"([^\"]+)\"")
                .matcher(options)
                .results()
                .map(id -> id.group(1))
                .toList();
    }

    @Test
    void only_json_of_a_bounded_size_is_accepted() {
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
    void invalid_user_ids_are_client_errors() {
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
    void an_undecodable_query_is_a_client_error() {
        String response = ada.sendRaw("POST", FINISH + "?userId=%zz", "Content-Type: " + Visitor.JSON);

        if (SpringBootVersion.getVersion().startsWith("3.")) {
            assertThat(response).startsWith("HTTP/1.1 401 "); // this Tomcat drops such a parameter, so no user is named
        } else {
            assertThat(response).startsWith("HTTP/1.1 400 ").contains("\"code\":\"malformed_request\"");
        }
    }

    @Test
    void a_header_that_spring_security_refuses_is_a_client_error() {
        for (String name : List.of("Sec-Fetch-Site", "Origin", "Content-Encoding", "X-Correlation-ID")) {
            String control = name + ": a\u0085b";
            assertThat(ada.sendRaw("GET", "/auth/passkey/login/options", control))
                    .as(name)
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void cross_site_and_same_site_requests_are_refused() {
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
    void other_methods_get_405_with_an_allow_header() {
        HttpResponse<String> response = ada.get(FINISH);

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("POST");
        assertThat(response.body()).contains("\"code\":\"method_not_allowed\"");
    }

    @Test
    void a_valid_correlation_id_of_the_client_is_kept() {
        var harmless = ada.request(FINISH).header("X-Correlation-ID", "order-4711");
        var harmful = ada.request(FINISH).header("X-Correlation-ID", "<script>");

        assertThat(ada.send(harmless).body()).contains("\"correlationId\":\"order-4711\"");
        assertThat(ada.send(harmful).body()).doesNotContain("script");
    }
}
