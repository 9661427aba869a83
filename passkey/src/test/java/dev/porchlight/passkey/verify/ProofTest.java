// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.VerifiedAssertion;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only a ceremony can create the proof that it passed. */
class ProofTest {
    @ParameterizedTest
    @ValueSource(classes = {VerifiedAssertion.class, AssertionProof.class, VerifiedRegistration.class})
    void T20_a_proof_cannot_be_created_or_extended_outside(Class<?> proof) {
        assertThat(Modifier.isFinal(proof.getModifiers())).isTrue();
        assertThat(proof.getDeclaredConstructors())
                .allSatisfy(it -> assertThat(it.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED))
                        .isZero());
        assertThat(Arrays.stream(proof.getDeclaredMethods())
                        .filter(it -> Modifier.isStatic(it.getModifiers()) && Modifier.isPublic(it.getModifiers())))
                .isEmpty();
        assertThat(Serializable.class.isAssignableFrom(proof)).isFalse();
    }
}
