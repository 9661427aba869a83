// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;

/** What an authentication came to. */
public sealed interface AuthenticationResult {
    /**
     * The user signed in, and the use is recorded.
     *
     * @param assertion the proof; who signed in is {@link VerifiedAssertion#userId()}
     * @param signCountRegressed whether the sign count did not grow, which the policy lets pass
     */
    record Verified(VerifiedAssertion assertion, boolean signCountRegressed) implements AuthenticationResult {}

    /**
     * Nobody signed in.
     *
     * @param step what refused; not for the eyes of whoever tried
     * @param detail why, in words for a log line
     */
    record Refused(Step step, String detail) implements AuthenticationResult {}

    /** Whether the user signed in. */
    default boolean verified() {
        return this instanceof Verified;
    }
}
