// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.NoSuchAlgorithmException;
import java.security.Security;
import org.junit.jupiter.api.Test;

/** The known answer tests of {@link SignatureVerifier}, with correct and broken providers. */
class KnownAnswersTest {
    /** The constructor verifies two signatures. */
    private static final int CALLS_OF_CONSTRUCTOR = 2;

    @Test
    void the_jdk_passes_the_known_answer_tests() {
        assertThat(SignatureVerifier.fault(null)).isNull();
        assertThat(SignatureVerifier.fault(Security.getProvider("SunEC"))).isNull();
        assertThat(SignatureVerifier.fault(new ScriptedProvider(truth -> truth)))
                .isNull();
    }

    @Test
    void a_provider_that_does_not_verify_fails() {
        String expected = "a valid signature is refused, or an invalid one is accepted";
        assertThat(SignatureVerifier.fault(Security.getProvider("SUN"))).isEqualTo(expected);
        assertThat(SignatureVerifier.fault(new ScriptedProvider(truth -> true))).isEqualTo(expected);
        assertThat(SignatureVerifier.fault(new ScriptedProvider(truth -> false)))
                .isEqualTo(expected);
    }

    @Test
    void a_provider_that_ignores_a_bit_fails() {
        var calls = new int[1];
        var lax = new ScriptedProvider(truth -> truth || ++calls[0] + 1 > CALLS_OF_CONSTRUCTOR);
        assertThat(SignatureVerifier.fault(lax)).isEqualTo("a signature with a flipped bit is accepted");
    }

    @Test
    void keys_are_created_by_the_given_provider() {
        assertThatThrownBy(() -> SignatureVerifier.KNOWN_KEY.toPublicKey(Security.getProvider("SUN")))
                .isInstanceOf(NoSuchAlgorithmException.class);
    }
}
