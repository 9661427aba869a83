// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whoever makes a request, as far as it was shown.
 *
 * @param userId the user
 * @param credentialId the passkey they signed in with; null for the bearer of an enrolment token
 * @param authTime when he last used a passkey; null for the bearer of an enrolment token, who has shown none
 * @param expiresAt when what he showed expires
 * @param sessionId the session's id, if he came with a session cookie
 * @param enrolmentToken the token, if he came with one
 */
record Caller(
        String userId,
        @Nullable String credentialId,
        @Nullable Instant authTime,
        Instant expiresAt,
        @Nullable String sessionId,
        @Nullable String enrolmentToken) {}
