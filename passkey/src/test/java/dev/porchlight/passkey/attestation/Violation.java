// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;

/** A registration with one fault in its attestation, and the expected reason. */
record Violation(String name, AttestationReason reason, Supplier<SoftRegistration> registration) {

    static Violation of(AttestationReason reason, String name, Supplier<SoftRegistration> registration) {
        return new Violation(name, reason, registration);
    }

    void refuse() {
        assertThat(registration.get().verify()).isInstanceOfSatisfying(AttestationResult.Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(reason);
            assertThat(refused.detail()).startsWith(reason.code());
        });
    }

    @Override
    public String toString() {
        return name;
    }
}
