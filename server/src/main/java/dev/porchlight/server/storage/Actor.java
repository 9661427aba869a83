// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An operator, or a user, who makes a change, by one request or command. {@link Units} checks them within the transaction of the
 * change, because their access may have ended since the request was authenticated.
 */
public interface Actor {
    /** Names the operator or the token in audit rows; empty for users, who act for themselves. */
    String label();

    /** Links the audit row to log lines and traces. */
    String correlationId();

    /**
     * Checks, at the start of a transaction, that they still have the access that the request was authenticated with, and
     * may change the target. This stays true until the transaction ends: it locks what the access depends on, and the target.
     *
     * @return why not; null if they may make the change
     */
    @Nullable
    Denial check(Connection connection, Target target) throws SQLException;

    /** Why an operator may not make a change. */
    enum Denial {
        /** The session, the passkey or the token has ended, or the user is locked. */
        SIGNED_OUT,
        NO_ROLE,
        ROLE_CHANGED,
        /** The target has a role, and the operator is not an owner. */
        PROTECTED_USER
    }

    /**
     * What a change is about, as far as it can be an operator, too.
     *
     * @param userId a user, whose passkeys and access wait for the change; null if it is about none
     * @param token the name of an API token, or null
     */
    record Target(@Nullable String userId, @Nullable String token) {
        public static final Target NONE = new Target(null, null);

        public static Target user(String userId) {
            return new Target(userId, null);
        }

        public static Target token(String name) {
            return new Target(null, name);
        }
    }

    /** Reports that an operator may not make a change. Nothing was written. */
    final class DeniedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Denial denial;

        DeniedException(Denial denial) {
            super(denial.name(), null, false, false); // an expected refusal needs no stack trace
            this.denial = denial;
        }

        public Denial denial() {
            return denial;
        }
    }
}
