// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.VerifiedAssertion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Decides the result of a verified login: a session, a token, or a refusal.
 *
 * <p>The default is a session: of Spring Security if that is on the class path, otherwise a {@link PasskeySession}. A bean of this
 * type replaces it. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface PasskeySignIn {
    /**
     * Signs the user in. The user is {@link VerifiedAssertion#userId()}; do not take it from the request.
     *
     * @param response accepts cookies and headers; status and body are written afterwards
     */
    Outcome signIn(VerifiedAssertion assertion, HttpServletRequest request, HttpServletResponse response);

    /** The result of a sign-in. */
    sealed interface Outcome {
        /** The user has a session. */
        static Outcome session() {
            return Session.INSTANCE;
        }

        /** The user gets this token, in the member {@code token} of the response. */
        static Outcome token(String token) {
            return new Token(token);
        }

        /** The user is refused despite a valid passkey, for example because the account is locked. The cause is logged. */
        static Outcome refused(String cause) {
            return new Refused(cause);
        }
    }

    /** The user has a session. */
    enum Session implements Outcome {
        INSTANCE
    }

    /**
     * The user gets a token.
     *
     * @param value the token as sent to the client
     */
    record Token(String value) implements Outcome {}

    /**
     * The user is refused.
     *
     * @param cause the cause for the log, never sent to the client
     */
    record Refused(String cause) implements Outcome {}
}
