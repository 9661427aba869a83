// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Enrollments.Issued;
import dev.porchlight.server.mail.MailQueue;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Issues enrollment links for operators: to hand over, or by mail. A link is committed with its mail and its audit row.
 * Thread-safe.
 */
public final class Invitations {
    private final Units units;
    private final Enrollments enrollments;
    private final TakenNames names;
    private final Profiles profiles;
    private final GroupAdministration groups;
    private final Sql sql;
    private final @Nullable MailQueue mail;

    /** Sends nothing without mail. */
    public Invitations(
            Units units,
            Enrollments enrollments,
            TakenNames names,
            Profiles profiles,
            GroupAdministration groups,
            Sql sql,
            @Nullable MailQueue mail) {
        this.units = units;
        this.enrollments = enrollments;
        this.names = names;
        this.profiles = profiles;
        this.groups = groups;
        this.sql = sql;
        this.mail = mail;
    }

    /**
     * Who is invited.
     *
     * @param groups that the user joins
     */
    public record Invitee(String userId, ProfileChange profile, List<String> groups) {}

    /** Why no link was issued. */
    public enum Refusal {
        NO_MAIL_SERVER("no mail server is configured"),
        /** The name belongs to another user, or to one who was erased. */
        UNAVAILABLE("the name is not available: "),
        NO_EMAIL("the user has no email address"),
        TOO_MANY_MAILS("1,000 mails wait to be sent; repeat it later");

        final String sentence;

        Refusal(String sentence) {
            this.sentence = sentence;
        }
    }

    /**
     * The link that was issued, or why none was.
     *
     * @param detail about the refusal; may be empty
     */
    public record Result(@Nullable Issued issued, @Nullable Refusal refusal, String detail) {
        private static Result refused(Refusal refusal, String detail) {
            return new Result(null, refusal, detail);
        }

        /** The refusal for operators; empty if a link was issued. */
        public String sentence() {
            return refusal == null ? "" : refusal.sentence + detail;
        }
    }

    /** Issues a link to hand over, for a user with or without passkeys. */
    public Result issue(String userId, Duration lifetime, Actor by) {
        return commit("issue an enrollment link", userId, by, connection -> {
            String unavailable = names.reserve(connection, userId); // so that no stranger can sign up under the name
            return unavailable == null
                    ? new Result(enrollments.forAnyUser(connection, userId, lifetime, by.label(), null), null, "")
                    : Result.refused(Refusal.UNAVAILABLE, unavailable);
        });
    }

    private Result commit(String what, String userId, Actor by, Sql.Work<Result> work) {
        Result result = units.commit(
                what,
                by,
                Target.user(userId),
                work,
                done -> done.issued() == null ? null : AuditEvent.of(AuditAction.ENROLLMENT_ISSUED, userId));
        if (result.issued() != null) {
            enrollments.kept(result.issued());
        }
        return result;
    }

    /** Whether links can be sent. */
    public boolean hasMail() {
        return mail != null;
    }

    /** Whether the user has a passkey. */
    boolean isRegistered(String userId) {
        return SqlUsers.isKnown(sql, userId);
    }

    /** Whether the user has a link that is neither used nor expired. */
    boolean isInvited(String userId) {
        return enrollments.isPending(userId);
    }

    /**
     * Reserves the name of a user, stores what is known about them, and sends a link to their address. The link is shown to no
     * one, so its use verifies the address.
     */
    public Result send(Invitee invitee, Duration lifetime, Actor by) throws MalformedException {
        String userId = invitee.userId();
        MailQueue queue = mail;
        if (queue == null) {
            return Result.refused(Refusal.NO_MAIL_SERVER, "");
        }
        if (queue.isFull()) {
            return Result.refused(Refusal.TOO_MANY_MAILS, "");
        }
        String unavailable = units.commit(
                "reserve a name",
                by,
                Target.user(userId),
                connection -> Objects.requireNonNullElse(names.reserve(connection, userId), ""),
                done -> null);
        if (!unavailable.isEmpty()) {
            return Result.refused(Refusal.UNAVAILABLE, unavailable);
        }
        if (!invitee.profile().isEmpty()) {
            var unused = profiles.change(userId, invitee.profile(), by);
        }
        for (String group : invitee.groups()) {
            var unused = groups.add(group, userId, by);
        }
        return commit("send an invitation", userId, by, connection -> send(connection, queue, userId, lifetime, by));
    }

    private Result send(Connection connection, MailQueue queue, String userId, Duration lifetime, Actor by)
            throws SQLException {
        String unavailable = names.reserve(connection, userId); // again, as the user may have been erased
        if (unavailable != null) {
            return Result.refused(Refusal.UNAVAILABLE, unavailable);
        }
        Profile profile = Profiles.find(connection, userId);
        String email = profile.email();
        if (email == null) {
            return Result.refused(Refusal.NO_EMAIL, "");
        }
        Issued issued = enrollments.forAnyUser(connection, userId, lifetime, by.label(), email);
        queue.invite(connection, userId, email, profile.locale(), "/#enroll=" + issued.token(), issued.expiresAt());
        return new Result(issued, null, "");
    }
}
