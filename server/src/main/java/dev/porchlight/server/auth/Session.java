// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A signed-in browser.
 *
 * @param handle identifies the session in lists and cannot be used to authenticate
 * @param grant the sign-in that it came from
 * @param lastSignIn the previous use of the same passkey, or its registration, in milliseconds since the epoch; 0 if unknown
 * @param expiresAt in milliseconds since the epoch
 * @param userAgent the browser's User-Agent header
 * @param requestId the request of an application that the passkey was used for, or null
 * @param methods how the user signed in, as in the claim {@code amr}
 */
public record Session(
        String handle,
        Grant grant,
        long lastSignIn,
        long expiresAt,
        String userAgent,
        @Nullable String requestId,
        List<String> methods) {
    public Session {
        methods = List.copyOf(methods);
    }

    /** Whether it has not ended, within a transaction of the caller. See {@link #locked}. */
    boolean isValid(Connection connection) throws SQLException {
        return locked(connection) != null;
    }

    /**
     * Its sign-in, with the generation of the user's access, within a transaction of the caller; null if it has ended. It does not
     * end until that transaction does.
     */
    public @Nullable Grant locked(Connection connection) throws SQLException {
        Grant valid = grant.locked(connection);
        return valid != null && Sessions.holdOpen(connection, handle) ? valid : null;
    }

    public String userId() {
        return grant.userId();
    }

    /** When the passkey was used, in milliseconds since the epoch. */
    public long authTime() {
        return grant.authTime().toEpochMilli();
    }
}
