// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.verify.Step;

/** What a registration came to. */
public sealed interface RegistrationResult {
    /** The passkey is stored. */
    record Registered(CredentialRecord credential) implements RegistrationResult {}

    /**
     * Nothing was stored.
     *
     * @param step what refused
     * @param detail why, in words for a log line
     */
    record Refused(Step step, String detail) implements RegistrationResult {}

    /** Whether the passkey is stored. */
    default boolean registered() {
        return this instanceof Registered;
    }
}
