// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.storage.Actor;
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
 * @param correlationId of the request
 */
public record Caller(
        Grant grant,
        Instant expiresAt,
        @Nullable String sessionId,
        @Nullable Session session,
        List<String> methods,
        String correlationId)
        implements Actor {

    public String userId() {
        return grant.userId();
    }

    /** Empty: users act for themselves. */
    @Override
    public String label() {
        return "";
    }

    /** {@inheritDoc} Locks the user, and the passkeys only of a target. */
    @Override
    public @Nullable Denial check(Connection connection, Target target) throws SQLException {
        if (!grant.isValid(connection)) {
            return Denial.SIGNED_OUT;
        }
        if (target.userId() != null) {
            SqlUsers.lockPasskeys(connection, target.userId());
        }
        return session == null || Sessions.holdOpen(connection, session.handle()) ? null : Denial.SIGNED_OUT;
    }
}
