// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.auth.ApiTokens;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorRoles;
import dev.porchlight.server.http.Access;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialScreeningTest {
    private static final List<String> SESSION = List.of("theme=dark", "__Host-porchlight=abc");

    private static final SessionCookie COOKIE = new SessionCookie(true);
    private static final String NAMED = "plt_" + "x".repeat(43);

    private final CredentialScreening screening = screening(Optional.of(COOKIE));

    /** With a gate that decides from the headers alone, and reads no database. */
    private static CredentialScreening screening(Optional<SessionCookie> ofOperators) {
        Sql sql = new Sql(new HikariDataSource());
        var tokens = new ApiTokens(sql, new byte[32], Clock.systemUTC(), new SecureRandom());
        return new CredentialScreening(
                new AdminGate(
                        Optional.of("the admin token"),
                        false,
                        ofOperators,
                        Operator.LOCAL,
                        new OperatorRoles(sql),
                        tokens,
                        new AuditSubjects(new byte[32])),
                COOKIE);
    }

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
    void routes_of_operators_need_a_token_or_a_session() {
        assertThat(screening.refuses(Access.ADMIN, "Bearer the admin token", List.of()))
                .isFalse();
        assertThat(screening.refuses(Access.ADMIN, "Bearer " + NAMED, List.of()))
                .isFalse();
        assertThat(screening.refuses(Access.CONSOLE, null, SESSION)).isFalse();
        assertThat(screening.refuses(Access.CONSOLE, "Bearer a.b.c", SESSION)).isTrue();
        assertThat(screening.refuses(Access.CONSOLE, "Bearer " + NAMED + "x", SESSION))
                .isTrue();
        assertThat(screening.refuses(Access.CONSOLE, null, List.of("theme=dark")))
                .isTrue();
    }

    @Test
    void a_session_is_refused_on_a_management_port() {
        CredentialScreening management = screening(Optional.empty());

        assertThat(management.refuses(Access.CONSOLE, null, SESSION)).isTrue();
        assertThat(management.refuses(Access.CONSOLE, "Bearer " + NAMED, SESSION))
                .isFalse();
    }
}
