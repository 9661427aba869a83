// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Session;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated user of a request.
 *
 * @param grant the sign-in behind the request; null for an enrollment token
 * @param expiresAt when the session or token expires
 * @param sessionId the id of the session, if the request has its cookie
 * @param session the session, if the request has its cookie
 * @param enrollment the content of the request's enrollment token, if it has one
 * @param methods how the user signed in, as in the claim {@code amr}
 */
public record Caller(
        String userId,
        @Nullable Grant grant,
        Instant expiresAt,
        @Nullable String sessionId,
        @Nullable Session session,
        @Nullable Enrollment enrollment,
        List<String> methods) {

    /** The time of the sign-in; null for an enrollment token. */
    @Nullable
    Instant authTime() {
        return grant == null ? null : grant.authTime();
    }
}
