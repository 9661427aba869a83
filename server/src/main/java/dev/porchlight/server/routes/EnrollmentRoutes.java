// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
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
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.UserAccess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Enrollment links that an application's backend, a help desk or an operator issues: {@code POST /admin/enrollments}. */
public final class EnrollmentRoutes {
    private final Callers callers;
    private final Enrollments enrollments;
    private final TakenNames names;
    private final Profiles profiles;
    private final Sql sql;
    private final AuditLog audit;
    private final String origin;

    public EnrollmentRoutes(
            Callers callers,
            Enrollments enrollments,
            TakenNames names,
            Profiles profiles,
            Sql sql,
            AuditLog audit,
            String origin) {
        this.callers = callers;
        this.enrollments = enrollments;
        this.names = names;
        this.profiles = profiles;
        this.sql = sql;
        this.audit = audit;
        this.origin = origin;
    }

    public void mount(Router.Builder router) {
        router.post("/admin/enrollments", Access.ADMIN_SUPPORT_RECENT, this::enroll);
    }

    private Response enroll(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        String userId = UserIdCheck.require(body.text("userId"));
        Duration lifetime = lifetime(body.optionalInteger("ttlSeconds"));
        callers.requireMayChange(operator, userId);
        ProfileChange profile = ProfileChange.parse(body, EnumSet.allOf(ProfileMember.class), besideProfile(body));
        if (!profile.isEmpty()) {
            AdminGate.requireMay(operator, Permission.MANAGE);
        }
        // Reserved, so that no stranger can sign up under the name first.
        String unavailable = names.reserve(sql, userId);
        var issued = unavailable == null ? enrollments.forAnyUser(userId, lifetime, operator.label()) : null;
        if (issued == null) {
            throw new ProblemException(CeremonyRoutes.USER_EXISTS.withDetail(
                    "The name is not available: " + Objects.requireNonNullElse(unavailable, TakenNames.ERASED) + '.'));
        }
        callers.requireMayChange(operator, userId); // the user may have got a role before the link was stored
        if (!profile.isEmpty()) {
            var unused = profiles.change(userId, profile, operator.label(), exchange.correlationId());
        }
        audit.append(AuditEvent.byOperator(
                AuditAction.ENROLLMENT_ISSUED, userId, operator.label(), exchange.correlationId()));
        return Response.json(
                201,
                json -> json.text("token", issued.token())
                        // In the fragment, which browsers do not send.
                        .text("url", origin + "/#enroll=" + issued.token())
                        .number("expiresAt", issued.expiresAt())
                        .bool("locked", UserAccess.read(sql, userId).locked()));
    }

    private static Set<String> besideProfile(JsonObject body) {
        return body.names().stream()
                .filter(name -> ProfileMember.of(name) == null)
                .collect(Collectors.toUnmodifiableSet());
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
