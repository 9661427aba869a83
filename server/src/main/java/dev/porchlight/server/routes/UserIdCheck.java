// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import org.jspecify.annotations.Nullable;

/** Refuses invalid user ids. */
final class UserIdCheck {
    private static final Problem INVALID = Problem.of(400, "invalid_user_id", "This user id is invalid.");

    private UserIdCheck() {}

    static String require(String userId) throws ProblemException {
        String fault = UserIds.fault(userId);
        if (fault != null) {
            throw new ProblemException(INVALID.withDetail(fault + '.'));
        }
        return userId;
    }

    /** The user id in the query, or null. */
    static @Nullable String inQuery(Exchange exchange) throws ProblemException {
        String userId = exchange.queryParameter("userId");
        return userId == null ? null : require(userId);
    }
}
