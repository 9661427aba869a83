// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.VerifiedAssertion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Signs users in with the servlet container's session, for applications without Spring Security. The session holds the user's id
 * and nothing else; invalidate it to sign out. Thread-safe.
 */
public final class PasskeySession implements PasskeySignIn {
    private static final String USER_ID = PasskeySession.class.getName() + ".userId";

    /** Returns the user who signed in with a passkey in the request's session, or null. */
    public static @Nullable String userId(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(USER_ID) instanceof String userId ? userId : null;
    }

    /**
     * Gives an existing session a new id, which prevents session fixation, and ends the session of another user with everything it
     * held.
     */
    @Override
    public Outcome signIn(VerifiedAssertion assertion, HttpServletRequest request, HttpServletResponse response) {
        HttpSession former = request.getSession(false);
        String before = userId(request);
        if (former != null && before != null && !before.equals(assertion.userId())) {
            former.invalidate();
        } else if (former != null) {
            request.changeSessionId();
        }
        request.getSession().setAttribute(USER_ID, assertion.userId());
        return Outcome.session();
    }
}
