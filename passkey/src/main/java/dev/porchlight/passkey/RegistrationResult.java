// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;

/** The result of a registration. Immutable. */
public sealed interface RegistrationResult {
    /**
     * The passkey is stored.
     *
     * @param extensions the outputs of the extensions that were requested
     */
    record Registered(CredentialRecord credential, ExtensionOutputs extensions) implements RegistrationResult {}

    /**
     * The registration was refused, and nothing was stored.
     *
     * @param step the step that refused
     * @param detail the reason, in words for a log line
     */
    record Refused(Step step, String detail) implements RegistrationResult {
        /** The suggested HTTP status: 409 if the passkey is already registered, otherwise 400. */
        public int httpStatus() {
            return step == Step.CREDENTIAL_NEW ? 409 : 400;
        }

        /** A sentence for users. */
        public String error() {
            return "The passkey was not registered.";
        }
    }

    /** Whether the passkey is stored. */
    default boolean registered() {
        return this instanceof Registered;
    }
}
