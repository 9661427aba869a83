// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.auth.UserAdministration.Result;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.TakenNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Administration by an application's backend, a help desk or an operator: {@code /admin/*}. The doctor requests
 * {@code GET /admin/request} to see how proxies changed a request.
 */
public final class AdminRoutes {
    private static final Problem NO_USER = Problem.of(404, "not_found", "This user does not exist.");

    private final Enrollments enrollments;
    private final UserAdministration users;
    private final Sql sql;
    private final AuditLog audit;
    private final String origin;

    public AdminRoutes(Enrollments enrollments, UserAdministration users, Sql sql, AuditLog audit, String origin) {
        this.enrollments = enrollments;
        this.users = users;
        this.sql = sql;
        this.audit = audit;
        this.origin = origin;
    }

    public void mount(Router.Builder router) {
        router.post("/admin/enrollments", Access.ADMIN, this::enroll);
        router.get("/admin/request", Access.ADMIN, this::seen);
        mount(router, "/admin/users/{userId}/lock", users::lock);
        mount(router, "/admin/users/{userId}/unlock", users::unlock);
        mount(router, "/admin/users/{userId}/sign-out", users::signOut);
    }

    /** A change of one user. Both the first request and one that repeats it succeed. */
    @FunctionalInterface
    private interface Change {
        Result apply(String userId, String correlationId);
    }

    private static void mount(Router.Builder router, String template, Change change) {
        router.post(template, Access.ADMIN, exchange -> {
            String userId = exchange.pathParameter("userId");
            if (change.apply(userId, exchange.correlationId()) == Result.NOT_FOUND) {
                UserIdCheck.require(userId); // checked last, so that users from before this rule can be locked
                throw new ProblemException(NO_USER);
            }
            return Response.of(204);
        });
    }

    private Response enroll(Exchange exchange) throws Exception {
        JsonObject body = exchange.jsonObject();
        String userId = UserIdCheck.require(body.text("userId"));
        Duration lifetime = lifetime(body.optionalInteger("ttlSeconds"));
        // Reserved, so that no stranger can sign up under the name first.
        String holder = TakenNames.reserve(sql, userId);
        if (holder != null) {
            throw new ProblemException(SignupRoutes.EXISTS.withDetail("The name is taken by the user " + holder));
        }
        var issued = enrollments.forAnyUser(userId, lifetime);
        audit.append(AuditEvent.of("enrollment_issued", userId, exchange.correlationId()));
        return Response.json(
                201,
                json -> json.text("token", issued.token())
                        // In the fragment, which browsers do not send.
                        .text("url", origin + "/#enroll=" + issued.token())
                        .number("expiresAt", issued.expiresAt()));
    }

    private static Duration lifetime(@Nullable Long seconds) throws MalformedException {
        if (seconds == null) {
            return Enrollments.LIFETIME;
        }
        if (seconds < 1 || seconds > Enrollments.MAX_LIFETIME.toSeconds()) {
            throw new MalformedException("ttlSeconds", "must be 1 to " + Enrollments.MAX_LIFETIME.toSeconds());
        }
        return Duration.ofSeconds(seconds);
    }

    private Response seen(Exchange exchange) {
        return Response.json(
                200,
                json -> json.text("scheme", exchange.scheme())
                        .text("host", exchange.serverName())
                        .text("client", exchange.clientAddress())
                        .text("peer", exchange.peerAddress())
                        .text("httpVersion", exchange.protocolVersion()));
    }
}
