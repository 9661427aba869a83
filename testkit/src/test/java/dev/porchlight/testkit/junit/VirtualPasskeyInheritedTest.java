// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A subclass of an annotated class needs no annotation. */
class VirtualPasskeyInheritedTest {
    @VirtualPasskey
    abstract static class Annotated {}

    @Nested
    class Subclass extends Annotated {
        @Test
        void the_annotation_of_the_superclass_counts(SoftAuthenticator authenticator) {
            assertThat(authenticator.passkeys()).isEmpty();
        }
    }
}
