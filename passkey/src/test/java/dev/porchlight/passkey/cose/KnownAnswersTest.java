// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.NoSuchAlgorithmException;
import java.security.Security;
import org.junit.jupiter.api.Test;

/** What {@link SignatureCheck} says of providers, good and broken. */
class KnownAnswersTest {
    /** A check asks two before its constructor is done. */
    private static final int ASKED_FIRST = 2;

    @Test
    void finds_nothing_wrong_with_the_jdk() {
        assertThat(SignatureCheck.fault(null)).isNull();
        assertThat(SignatureCheck.fault(Security.getProvider("SunEC"))).isNull();
        assertThat(SignatureCheck.fault(new ScriptedProvider(truth -> truth))).isNull();
    }

    @Test
    void finds_a_provider_that_does_not_verify() {
        String expected = "a signature that is right is refused, or one that is wrong is accepted";
        assertThat(SignatureCheck.fault(Security.getProvider("SUN"))).isEqualTo(expected);
        assertThat(SignatureCheck.fault(new ScriptedProvider(truth -> true))).isEqualTo(expected);
        assertThat(SignatureCheck.fault(new ScriptedProvider(truth -> false))).isEqualTo(expected);
    }

    @Test
    void finds_a_provider_that_does_not_look_at_every_bit() {
        var answered = new int[1];
        var lax = new ScriptedProvider(truth -> truth || ++answered[0] + 1 > ASKED_FIRST);
        assertThat(SignatureCheck.fault(lax)).isEqualTo("a signature with a flipped bit is accepted");
    }

    @Test
    void a_key_is_made_by_the_provider_that_was_named() {
        assertThatThrownBy(() -> SignatureCheck.KNOWN_KEY.toPublicKey(Security.getProvider("SUN")))
                .isInstanceOf(NoSuchAlgorithmException.class);
    }
}
