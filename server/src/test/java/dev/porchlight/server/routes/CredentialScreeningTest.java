// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.http.Access;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialScreeningTest {
    private static final List<String> SESSION = List.of("theme=dark", "__Host-porchlight=abc");

    private final CredentialScreening screening = new CredentialScreening(
            new AdminGate(Optional.of("the admin token"), false, new Operator("token")), new SessionCookie(true));

    @ParameterizedTest
    @ValueSource(strings = {"Bearer enroll_abc", "bearer a.b-c._d", "Bearer  enroll_signup_x"})
    void a_well_formed_token_passes_the_screening(String authorization) {
        assertThat(screening.refuses(Access.USER, authorization, List.of())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer garbage", "Bearer ", "Bearer a.b", "Bearer a.b.c.d"})
    void an_invalid_token_is_refused_whatever_the_cookie(String authorization) {
        assertThat(screening.refuses(Access.USER, authorization, SESSION)).isTrue();
    }

    @Test
    void a_session_cookie_is_found_among_others() {
        assertThat(screening.refuses(Access.USER, null, SESSION)).isFalse();
        assertThat(screening.refuses(Access.USER, "Basic abc", List.of("x=y; __Host-porchlight=abc")))
                .isFalse();
    }

    @Test
    void no_session_cookie_is_refused() {
        assertThat(screening.refuses(Access.USER, null, List.of())).isTrue();
        assertThat(screening.refuses(Access.USER, null, List.of("x=y; porchlight=abc")))
                .isTrue();
    }

    @Test
    void routes_without_a_credential_accept_every_request() {
        assertThat(screening.refuses(Access.LOGIN_FINISH, null, List.of())).isFalse();
    }

    @Test
    void routes_of_operators_accept_only_the_admin_token() {
        assertThat(screening.refuses(Access.ADMIN, "Bearer the admin token", List.of()))
                .isFalse();
        assertThat(screening.refuses(Access.CONSOLE, "Bearer a.b.c", SESSION)).isTrue();
        assertThat(screening.refuses(Access.CONSOLE, null, SESSION)).isTrue();
    }
}
