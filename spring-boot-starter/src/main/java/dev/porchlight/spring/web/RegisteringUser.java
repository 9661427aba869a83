// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides which user a request may register a passkey for. That user gets one more way to sign in.
 *
 * <p>The default is the user who is signed in: the request's principal or, without Spring Security, the owner of a {@link
 * PasskeySession}. A bean of this type replaces it, for example to require a recent login, or to accept an invitation.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface RegisteringUser {
    /** Returns the user's id, from nothing that a client can forge, or null for a 401 response. */
    @Nullable
    String userId(HttpServletRequest request);
}
