// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AuthenticationMethodsTest {
    @Test
    void only_a_verified_attestation_shows_that_a_key_is_in_hardware() {
        assertThat(SignIn.keyMethod(false, "trusted")).isEqualTo("hwk");
        for (String unverified : new String[] {"untrusted", "none", "self", null}) {
            assertThat(SignIn.keyMethod(false, unverified)).isEqualTo("pop");
        }
        assertThat(SignIn.keyMethod(true, "trusted")).isEqualTo("swk");

        assertThat(SignIn.contextClass(List.of("hwk", "user"))).isEqualTo("phrh");
        assertThat(SignIn.contextClass(List.of("pop", "user", "mfa"))).isEqualTo("phr");
        assertThat(SignIn.contextClass(List.of("swk", "user", "mfa"))).isEqualTo("phr");
    }
}
