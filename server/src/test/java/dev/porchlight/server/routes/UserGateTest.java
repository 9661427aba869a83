// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserGateTest {
    private static final List<String> SESSION = List.of("theme=dark", "__Host-porchlight=abc");

    private final UserGate gate = new UserGate(true);

    @ParameterizedTest
    @ValueSource(strings = {"Bearer enrol_abc", "bearer a.b-c._d", "Bearer  enrol_signup_x"})
    void what_has_the_form_of_a_token_is_worth_waiting_for(String authorization) {
        assertThat(gate.refuses(authorization, List.of())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer garbage", "Bearer ", "Bearer a.b", "Bearer a.b.c.d"})
    void an_invalid_token_is_refused_whatever_the_cookie(String authorization) {
        assertThat(gate.refuses(authorization, SESSION)).isTrue();
    }

    @Test
    void a_session_cookie_is_found_among_others() {
        assertThat(gate.refuses(null, SESSION)).isFalse();
        assertThat(gate.refuses("Basic abc", List.of("x=y; __Host-porchlight=abc")))
                .isFalse();
    }

    @Test
    void no_session_cookie_is_refused() {
        assertThat(gate.refuses(null, List.of())).isTrue();
        assertThat(gate.refuses(null, List.of("x=y; porchlight=abc"))).isTrue();
    }
}
