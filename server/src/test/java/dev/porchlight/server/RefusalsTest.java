// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals of invalid requests. */
class RefusalsTest {
    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE, "RP_RELATED_ORIGINS", "https://app.example");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/auth", "/auth/passkey", "/auth/passkey/login", "/admin/", "/.well-known/x"})
    void unknown_paths_are_not_found(String path) {
        service.web().get(path).expectProblem(404, "not_found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%6Detrics",
                "/metrics;x=y",
                "/metrics;",
                "/metrics/.",
                "/x/../metrics",
                "/./metrics",
                "//metrics",
                "/metrics/",
                "/METRICS",
                "/%61dmin/request",
                "/auth/../admin/request",
                "/auth/%2e%2e/admin/request",
                "/admin/request;x=y",
                "/admin%2Frequest",
                "/console/api/ceremonies;x",
            })
    void a_route_has_one_spelling(String path) {
        assertThat(service.admin().get(path).status()).isIn(400, 404);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /auth/passkey/register/options, 'GET, HEAD'",
        "GET, /auth/passkey/register/finish, POST",
        "PUT, /auth/passkey/login/options, 'GET, HEAD'",
        "DELETE, /auth/passkey/login/finish, POST",
        "GET, /auth/signup, POST",
        "GET, /auth/logout, POST",
        "GET, /admin/enrollments, POST",
        "POST, /auth/session, 'GET, HEAD'",
        "POST, /.well-known/jwks.json, 'GET, HEAD'",
        "POST, /health/live, 'GET, HEAD'",
        "POST, /metrics, 'GET, HEAD'",
    })
    void another_method_gets_405_with_allow(String method, String path, String allowed) {
        TestResponse response = service.web().send(method, path, null);

        response.expectProblem(405, "method_not_allowed");
        assertThat(List.of(response.header("Allow").split(", ", -1)))
                .containsExactlyInAnyOrder(allowed.split(", ", -1));
    }

    @Test
    void T43_an_oversized_body_is_refused_before_it_is_read() {
        service.web().post("/auth/signup", " ".repeat(65_537)).expectProblem(413, "body_too_large");
        service.web().post(Person.LOGIN_FINISH, " ".repeat(65_537)).expectProblem(413, "body_too_large");
        service.web().post(Person.LOGIN_FINISH, " ".repeat(65_536)).expectProblem(400, "malformed_json");
    }

    @Test
    void a_printable_correlation_id_is_echoed() {
        assertThat(service.web()
                        .with("X-Correlation-ID", "abc-1")
                        .get("/nothing")
                        .json()
                        .string("correlationId"))
                .isEqualTo("abc-1");
        assertThat(service.web()
                        .with("X-Correlation-ID", "<script>")
                        .get("/nothing")
                        .header("X-Correlation-ID"))
                .doesNotContain("<");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/auth/passkey/credentials/%00",
                "/auth/passkey/credentials/%ff",
                "/auth/passkey/credentials/%2F",
                "/auth/passkey/credentials/..",
                "/auth/passkey/credentials/a%0D%0Ab",
                "/auth/sessions/%F0%9F%94%91",
            })
    void a_malformed_path_is_a_client_error(String path) {
        Web user = service.newUser().enroll().byToken();

        assertThat(user.delete(path).status()).isBetween(400, 499);
        assertThat(user.patch(path, "{\"name\":\"x\"}").status()).isBetween(400, 499);
    }

    @Test
    void a_long_credential_id_is_accepted() {
        Web user = service.newUser().enroll().byToken();

        assertThat(user.delete(Person.CREDENTIALS + "/" + "A".repeat(1_364)).status())
                .isEqualTo(404);
        assertThat(user.delete(Person.CREDENTIALS + "/" + "A".repeat(5_000)).status())
                .isBetween(400, 499);
    }

    @Test
    void well_known_paths_serve_standard_documents() {
        TestResponse origins = service.web().get("/.well-known/webauthn").expect(200);
        assertThat(origins.json().get("origins")).isEqualTo(List.of("http://localhost", "https://app.example"));
        assertThat(origins.header("Content-Type")).isEqualTo("application/json");
        TestResponse endpoints =
                service.web().get("/.well-known/passkey-endpoints").expect(200);
        assertThat(endpoints.json().names()).containsExactlyInAnyOrder("enroll", "manage");
        assertThat(service.web().get("/.well-known/jwks.json").header("Cache-Control"))
                .contains("max-age");
    }
}
