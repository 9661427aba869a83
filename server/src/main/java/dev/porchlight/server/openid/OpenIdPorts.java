// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What OpenID Connect needs of the rest of the service. */
public final class OpenIdPorts {
    private OpenIdPorts() {}

    /**
     * A signed-in user.
     *
     * @param session the handle of the session, or empty for the bearer of a token
     * @param methods how the user signed in, as in the claim {@code amr}
     */
    public record SignedInUser(Grant grant, String session, List<String> methods) {}

    /** Finds the user who makes a request. */
    @FunctionalInterface
    public interface SignedInUsers {
        /**
         * The user of the request's session or token.
         *
         * @throws ProblemException with status 401 if there is none
         */
        SignedInUser find(Exchange exchange) throws ProblemException;

        /**
         * The user of the request's session, or null. A token does not count: it would be exchanged for refresh tokens, which
         * live longer than it.
         */
        default @Nullable SignedInUser bySession(Exchange exchange) throws ProblemException {
            try {
                SignedInUser user = find(exchange);
                return user.session().isEmpty() ? null : user;
            } catch (ProblemException e) {
                if (e.problem().status() == 401) {
                    return null;
                }
                throw e;
            }
        }
    }

    /** The sessions that users sign in to clients from. */
    public interface UserSessions {
        /** Ends the user's session with this handle, and what clients got from it; false if there is none. */
        boolean end(String userId, String session, String correlationId);

        /** Whether the session with this handle has not ended, as stored now. */
        boolean isOpen(String session);
    }

    /** Checks and reads a sign-in within a transaction. */
    public interface GrantChecks {
        /** Whether the sign-in is still valid. It stays so until the transaction ends. */
        boolean isValid(Connection connection, Grant grant) throws SQLException;

        /** The sign-in with the generation of the user's access, so that what is derived from it ends with it. */
        Grant lasting(Connection connection, Grant grant) throws SQLException;

        /** Whether the sign-in is valid now. */
        boolean isValid(Grant grant);
    }
}
