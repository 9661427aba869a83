// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Cost;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;

/** User administration: {@code /admin/users/*}. */
final class AdminUserRoutes {
    private static final Problem NOT_FOUND = Problem.of(404, "not_found", "There is no such user");

    private final UserAdministration users;
    private final AdminGate gate;

    AdminUserRoutes(UserAdministration users, AdminGate gate) {
        this.users = users;
        this.gate = gate;
    }

    /** A change of one user. Both the first request and one that repeats it succeed. */
    @FunctionalInterface
    private interface Change {
        Result apply(String userId, String correlationId);
    }

    void mount(Router.Builder router) {
        mount(router, "/admin/users/{userId}/lock", users::lock);
        mount(router, "/admin/users/{userId}/unlock", users::unlock);
        mount(router, "/admin/users/{userId}/sign-out", users::signOut);
    }

    private void mount(Router.Builder router, String template, Change change) {
        router.post(template, Cost.OPERATOR, gate.guard(exchange -> apply(exchange, change)));
    }

    private static Answer apply(Exchange exchange, Change change) throws ProblemException {
        String userId = exchange.pathParameter("userId");
        if (change.apply(userId, exchange.correlationId()) == Result.NOT_FOUND) {
            UserIdCheck.require(userId); // last, so that users from before this rule can be locked
            throw new ProblemException(NOT_FOUND);
        }
        return Answer.of(204);
    }
}
