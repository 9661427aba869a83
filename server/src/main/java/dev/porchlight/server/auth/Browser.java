// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import org.jspecify.annotations.Nullable;

/**
 * What a browser sent with the response of a ceremony.
 *
 * @param userAgent the User-Agent header
 * @param formerSession the id of a session whose cookie a sign-in replaces, or null
 * @param requestId the request of an application that the passkey is used for, or null
 */
public record Browser(
        String userAgent,
        @Nullable String formerSession,
        @Nullable String requestId) {
    /** A browser that sent nothing. */
    public static final Browser UNKNOWN = new Browser("", null, null);

    private static final int MAX_REQUEST_ID = 36;

    /** Without an id that is longer than those of the service, which would be stored with the session. */
    public Browser {
        requestId = requestId == null || requestId.length() > MAX_REQUEST_ID ? null : requestId;
    }
}
