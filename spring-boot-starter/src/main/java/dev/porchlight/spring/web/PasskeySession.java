// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.VerifiedAssertion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.util.Optional;

/**
 * Signs users in with the servlet container's session, for applications without Spring Security. The session stores
 * only the user's id; invalidate it to sign out. Thread-safe.
 */
public final class PasskeySession implements PasskeySignIn {
    private static final String USER_ID = PasskeySession.class.getName() + ".userId";

    /** Returns the id of the user who signed in with a passkey in the request's session. */
    public static Optional<String> userId(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(USER_ID) instanceof String userId
                ? Optional.of(userId)
                : Optional.empty();
    }

    /**
     * Changes the id of an existing session, which prevents session fixation, or invalidates it if it belongs to
     * another user.
     */
    @Override
    public Outcome signIn(VerifiedAssertion assertion, HttpServletRequest request, HttpServletResponse response) {
        HttpSession session = request.getSession(false);
        boolean another = userId(request)
                .filter(previous -> !previous.equals(assertion.userId()))
                .isPresent();
        if (session != null && another) {
            session.invalidate();
        } else if (session != null) {
            request.changeSessionId();
        }
        request.getSession().setAttribute(USER_ID, assertion.userId());
        return Outcome.session();
    }
}
