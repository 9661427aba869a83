// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Enrollments.Issued;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Issues enrollment links for operators, each with its audit row. Thread-safe. */
public final class EnrollmentAdministration {
    private final Units units;
    private final Enrollments enrollments;
    private final TakenNames names;

    public EnrollmentAdministration(Units units, Enrollments enrollments, TakenNames names) {
        this.units = units;
        this.enrollments = enrollments;
        this.names = names;
    }

    /**
     * The result of a request for a link.
     *
     * @param issued null if the name is not available
     * @param unavailable why the name is not available, or null
     */
    public record Result(@Nullable Issued issued, @Nullable String unavailable) {}

    /** Issues a link for a user with or without passkeys, whose name is reserved, so that no stranger can sign up under it. */
    public Result issue(String userId, Duration lifetime, Actor by) {
        Result result = units.commit(
                "issue an enrollment link",
                by,
                Target.user(userId),
                connection -> {
                    String unavailable = names.reserve(connection, userId);
                    return unavailable == null
                            ? new Result(enrollments.forAnyUser(connection, userId, lifetime, by.label(), null), null)
                            : new Result(null, unavailable);
                },
                done -> done.issued() == null ? null : AuditEvent.of(AuditAction.ENROLLMENT_ISSUED, userId));
        if (result.issued() != null) {
            enrollments.kept(result.issued());
        }
        return result;
    }
}
