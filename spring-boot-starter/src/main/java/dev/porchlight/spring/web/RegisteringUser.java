// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Says for whom a request may register a passkey: whoever is named here gets one more way to sign in.
 *
 * <p>By default it is the user who is signed in, by whatever means: the request's principal or, without Spring Security, the
 * owner of a {@link PasskeySession}. A bean of this type replaces that, for example to demand that the user signed in a moment
 * ago, or to let in the holder of an invitation. Called by many threads at once.
 */
@FunctionalInterface
public interface RegisteringUser {
    /** The user's id, from nothing that the client could make up; or null, and the request is answered with 401. */
    @Nullable
    String userId(HttpServletRequest request);
}
