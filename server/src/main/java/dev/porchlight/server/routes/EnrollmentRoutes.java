// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.EnrollmentAdministration;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.UserAccess;
import java.time.Duration;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Enrollment links that an application's backend, a help desk or an operator issues: {@code POST /admin/enrollments}. */
public final class EnrollmentRoutes {
    private final EnrollmentAdministration administration;
    private final Profiles profiles;
    private final Sql sql;
    private final String origin;

    public EnrollmentRoutes(EnrollmentAdministration administration, Profiles profiles, Sql sql, String origin) {
        this.administration = administration;
        this.profiles = profiles;
        this.sql = sql;
        this.origin = origin;
    }

    public void mount(Router.Builder router) {
        router.post("/admin/enrollments", Access.ADMIN_SUPPORT_RECENT, this::enroll);
    }

    private Response enroll(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        String userId = UserIdCheck.require(body.text("userId"));
        Duration lifetime = lifetime(body.optionalInteger("ttlSeconds"));
        ProfileChange profile = ProfileChange.among(body, EnumSet.allOf(ProfileMember.class));
        if (!profile.isEmpty()) {
            AdminGate.requireMay(operator, Permission.MANAGE);
        }
        var result = administration.issue(userId, lifetime, operator);
        var issued = result.issued();
        if (issued == null) {
            throw new ProblemException(
                    CeremonyRoutes.USER_EXISTS.withDetail("The name is not available: " + result.unavailable() + '.'));
        }
        if (!profile.isEmpty()) {
            var unused = profiles.change(userId, profile, operator);
        }
        return Response.json(
                201,
                json -> json.text("token", issued.token())
                        // In the fragment, which browsers do not send.
                        .text("url", origin + "/#enroll=" + issued.token())
                        .number("expiresAt", issued.expiresAt())
                        .bool("locked", UserAccess.read(sql, userId).locked()));
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
}
