// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The sign-in of a session: the user, the time, and the passkey if it was one. Sign-ins with a passkey and the interactive
 * sign-ins of Spring Security are stored automatically. Thread-safe.
 */
public final class SessionSignIn implements SignInTime {
    private static final String USER_ID = SessionSignIn.class.getName() + ".userId";
    private static final String TIME = SessionSignIn.class.getName() + ".time";
    private static final String CREDENTIAL_ID = SessionSignIn.class.getName() + ".credentialId";

    /** Stores a sign-in without a passkey in the request's session, if it has one. Call it after checking a password. */
    public static void save(HttpServletRequest request, String userId) {
        save(request, userId, null);
    }

    static void save(HttpServletRequest request, String userId, @Nullable String credentialId) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.setAttribute(USER_ID, userId);
            session.setAttribute(TIME, Instant.now().toEpochMilli());
            session.setAttribute(CREDENTIAL_ID, credentialId); // null removes that of an earlier sign-in
        }
    }

    @Override
    public @Nullable Instant of(HttpServletRequest request, String userId) {
        return attribute(request, userId, TIME) instanceof Long millis ? Instant.ofEpochMilli(millis) : null;
    }

    /** Returns the passkey that the user signed in with, or null. */
    static @Nullable String credentialId(HttpServletRequest request, String userId) {
        return attribute(request, userId, CREDENTIAL_ID) instanceof String id ? id : null;
    }

    /** Returns the user of the sign-in, or null. */
    static @Nullable String userId(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(USER_ID) instanceof String userId ? userId : null;
    }

    private static @Nullable Object attribute(HttpServletRequest request, String userId, String name) {
        HttpSession session = request.getSession(false);
        return session != null && userId.equals(session.getAttribute(USER_ID)) ? session.getAttribute(name) : null;
    }
}
