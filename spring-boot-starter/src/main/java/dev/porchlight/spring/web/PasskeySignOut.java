// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Ends the session of a request.
 *
 * <p>The default does what Spring Security's logout does or, without Spring Security, invalidates the session. A bean of this
 * type replaces it. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface PasskeySignOut {
    /**
     * Signs the user out.
     *
     * @param response accepts cookies and headers; status and body are written afterwards
     */
    void signOut(HttpServletRequest request, HttpServletResponse response);

    /**
     * Signs the user out in all browsers, including the one of the request.
     *
     * @return false, without any change, if the sessions of other browsers are unknown
     */
    default boolean signOutEverywhere(String userId, HttpServletRequest request, HttpServletResponse response) {
        return false;
    }
}
