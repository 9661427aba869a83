// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.InvitationList;
import dev.porchlight.server.auth.InvitationList.Line;
import dev.porchlight.server.auth.InvitationList.Report;
import dev.porchlight.server.auth.Invitations;
import dev.porchlight.server.auth.Invitations.Invitee;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.UserAccess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Enrollment links that an application's backend, a help desk or an operator issues: {@code /admin/enrollments} and {@code /admin/invitations}. */
public final class EnrollmentRoutes {
    private static final Problem NO_EMAIL =
            Problem.of(409, "no_email", "The user has no email address. Set one, or create a link to hand over.");

    /** People per request, whose names, profiles and links are a commit each. */
    private static final int AT_ONCE = 20;

    private final Invitations invitations;
    private final Profiles profiles;
    private final Sql sql;
    private final String origin;

    public EnrollmentRoutes(Invitations invitations, Profiles profiles, Sql sql, String origin) {
        this.invitations = invitations;
        this.profiles = profiles;
        this.sql = sql;
        this.origin = origin;
    }

    public void mount(Router.Builder router) {
        router.post("/admin/enrollments", Access.ADMIN_SUPPORT_RECENT, this::enroll);
        router.post("/admin/invitations", Access.ADMIN_RECENT, this::invite);
    }

    private Response enroll(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        String userId = UserIdCheck.require(body.text("userId"));
        Duration lifetime = lifetime(body.optionalInteger("ttlSeconds"));
        ProfileChange profile = ProfileChange.among(body, EnumSet.allOf(ProfileMember.class));
        if (!profile.isEmpty()) {
            AdminGate.requireMay(operator, Permission.MANAGE);
        }
        if (Boolean.TRUE.equals(body.optionalBool("send"))) {
            return send(new Invitee(userId, profile, List.of()), lifetime, operator);
        }
        Enrollments.Issued issued = issued(invitations.issue(userId, lifetime, operator));
        if (!profile.isEmpty()) {
            var unused = profiles.change(userId, profile, operator);
        }
        return Response.json(
                201,
                json -> json.text("token", issued.token())
                        .text("url", url(origin, issued.token()))
                        .number("expiresAt", issued.expiresAt())
                        .bool("locked", UserAccess.read(sql, userId).locked()));
    }

    private Response send(Invitee invitee, Duration lifetime, Operator operator) throws Exception {
        Enrollments.Issued issued = issued(invitations.send(invitee, lifetime, operator));
        boolean locked = UserAccess.read(sql, invitee.userId()).locked();
        return Response.json(
                202, json -> json.number("expiresAt", issued.expiresAt()).bool("locked", locked));
    }

    private static Enrollments.Issued issued(Invitations.Result result) throws ProblemException {
        if (result.issued() == null) {
            throw new ProblemException(
                    switch (Objects.requireNonNull(result.refusal())) {
                        case NO_MAIL_SERVER -> MailRoutes.OFF;
                        case UNAVAILABLE ->
                            CeremonyRoutes.USER_EXISTS.withDetail(
                                    "The name is not available: " + result.detail() + '.');
                        case NO_EMAIL -> NO_EMAIL;
                        case TOO_MANY_MAILS -> MailRoutes.FULL;
                    });
        }
        return result.issued();
    }

    /** Invites the people of a CSV file, some with each request. */
    private Response invite(Exchange exchange, Operator operator) throws Exception {
        JsonObject body = exchange.jsonObject();
        List<Line> lines = InvitationList.parse(body.text("csv")).lines();
        Long after = body.optionalInteger("after");
        Long seconds = body.optionalInteger("ttlSeconds");
        Duration lifetime = seconds == null ? Enrollments.MAX_LIFETIME : lifetime(seconds);
        if (!invitations.hasMail()) {
            throw new ProblemException(MailRoutes.OFF);
        }
        List<Line> left = lines.stream()
                .filter(line -> after == null || line.number() > after)
                .toList();
        List<Line> now = left.subList(0, Math.min(left.size(), AT_ONCE));
        List<Report> reports = now.stream()
                .map(line -> InvitationList.invite(line, invitations, lifetime, operator))
                .toList();
        return Response.json(200, json -> {
            json.objects("people", reports, (member, report) -> report.write(member));
            if (now.size() < left.size()) {
                json.number("next", now.get(now.size() - 1).number());
            }
        });
    }

    /** The link of a token, which is in the fragment, because browsers do not send that. */
    static String url(String origin, String token) {
        return origin + "/#enroll=" + token;
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
