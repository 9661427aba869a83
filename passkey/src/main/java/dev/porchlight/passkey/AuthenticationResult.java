// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

/** The result of an authentication. Immutable. */
public sealed interface AuthenticationResult {
    /** The code to respond with, whatever refused: a client must not learn the cause. */
    String ERROR_CODE = "authentication_failed";

    /** The text to respond with, whatever refused. It is part of the API, and has no full stop. */
    String ERROR = "Authentication failed";

    /**
     * The user signed in, and the use of the passkey is recorded.
     *
     * @param assertion the proof; {@link VerifiedAssertion#userId()} is the user
     * @param signCountRegressed whether the sign count did not grow, which the policy accepts
     * @param extensions the outputs of the extensions that were requested
     */
    record Verified(VerifiedAssertion assertion, boolean signCountRegressed, ExtensionOutputs extensions)
            implements AuthenticationResult {}

    /**
     * The authentication was refused.
     *
     * @param step the step that refused; do not send it to the client
     * @param detail the reason, in words for a log line
     */
    record Refused(Step step, String detail) implements AuthenticationResult {}

    /** Whether the user signed in. */
    default boolean verified() {
        return this instanceof Verified;
    }
}
