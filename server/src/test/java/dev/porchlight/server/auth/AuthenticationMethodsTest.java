// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AuthenticationMethodsTest {
    @Test
    void only_a_key_in_hardware_has_the_stronger_context_class() {
        assertThat(SignIn.contextClass(List.of("hwk", "user"))).isEqualTo("phrh");
        assertThat(SignIn.contextClass(List.of("pop", "user", "mfa"))).isEqualTo("phr");
        assertThat(SignIn.contextClass(List.of("swk", "user", "mfa"))).isEqualTo("phr");
    }
}
