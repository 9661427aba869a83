// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

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
    }

    /** Ends sessions. */
    @FunctionalInterface
    public interface SessionEnd {
        /** Ends the user's session with this handle, if there is one, and what clients got from it. */
        void end(Exchange exchange, String userId, String session);
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
