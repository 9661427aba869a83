// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides which user a request may register a passkey for. Anyone with that passkey can sign in as the user.
 *
 * <p>The default is the signed-in user if they signed in recently: the request's principal or, without Spring Security, the
 * owner of a {@link PasskeySession}. A bean of this type replaces it, for example to accept an invitation.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface RegisteringUser {
    /** Returns the user's id, or null for a 401 response. Must not trust input that a client can forge. */
    @Nullable
    String userId(HttpServletRequest request);
}
