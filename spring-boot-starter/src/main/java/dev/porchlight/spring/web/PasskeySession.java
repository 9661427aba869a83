// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.verify.VerifiedAssertion;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The servlet container's session as what a login yields, where there is no Spring Security: it holds the user's id and nothing
 * else. To sign out is to invalidate it. Thread-safe.
 */
public final class PasskeySession implements PasskeySignIn {
    private static final String USER_ID = PasskeySession.class.getName() + ".userId";

    /** The user who signed in with a passkey and whose session the request shows, or null. */
    public static @Nullable String userId(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(USER_ID) instanceof String userId ? userId : null;
    }

    /**
     * A session that was there before the login gets a new id, lest somebody else has planted it; one that was another
     * user's is ended with all that it held.
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
