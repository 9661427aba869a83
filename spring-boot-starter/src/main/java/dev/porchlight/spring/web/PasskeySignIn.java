// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.verify.VerifiedAssertion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Decides what a verified login yields: a session, a token, or nothing after all.
 *
 * <p>By default it is a session: one of Spring Security where that is on the class path, otherwise a {@link PasskeySession}.
 * A bean of this type replaces that. Called by many threads at once.
 */
@FunctionalInterface
public interface PasskeySignIn {
    /**
     * Lets the user in. Who it is says {@link VerifiedAssertion#userId()}, and nothing in the request.
     *
     * @param response for cookies and headers; status and body are written afterwards
     */
    Outcome signIn(VerifiedAssertion assertion, HttpServletRequest request, HttpServletResponse response);

    /** What came of it. */
    sealed interface Outcome {
        /** The user has a session. */
        static Outcome session() {
            return Session.INSTANCE;
        }

        /** The user gets this token, as the answer's {@code token}. */
        static Outcome token(String token) {
            return new Token(token);
        }

        /** The user is not let in, although the passkey is his: the account is locked, for example. The cause is logged. */
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
     * @param value as it is sent
     */
    record Token(String value) implements Outcome {}

    /**
     * The user is not let in.
     *
     * @param cause for the log, not for whoever tried
     */
    record Refused(String cause) implements Outcome {}
}
