// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The signed-in user who sent a request.
 *
 * @param grant the sign-in behind the request
 * @param expiresAt when the session or token expires
 * @param sessionId the id of the session, if the request has its cookie
 * @param session the session, if the request has its cookie
 * @param methods how the user signed in, as in the claim {@code amr}
 */
public record Caller(
        Grant grant,
        Instant expiresAt,
        @Nullable String sessionId,
        @Nullable Session session,
        List<String> methods) {

    public String userId() {
        return grant.userId();
    }

    /**
     * Whether the sign-in has not ended since the request was authenticated, within a transaction of the caller, until whose end
     * it does not end. Locks the user.
     */
    public boolean isValid(Connection connection) throws SQLException {
        return session == null ? grant.isValid(connection) : session.isValid(connection);
    }
}
