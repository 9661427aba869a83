// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.auth.EnrollmentRecord;
import dev.porchlight.server.auth.EnrollmentRecord.End;
import dev.porchlight.server.history.Fact;
import java.util.List;

/** What operators see of an enrollment link: who issued it, and until when it is valid, or what ended it. */
public final class EnrollmentFacts {
    private EnrollmentFacts() {}

    public static List<Fact> of(EnrollmentRecord link) {
        Fact issued = Fact.event(issued(link), link.issuedAt(), link.issuedBy());
        if (!link.hasEnded()) {
            return List.of(issued, Fact.event("enrollment_valid_until", link.expiresAt(), ""));
        }
        End end = link.end();
        return List.of(
                issued,
                end.why().equals(EnrollmentRecord.USED)
                        ? Fact.event("enrollment_used", end.at(), "")
                        : new Fact("enrollment_ended", end.at(), end.by(), end.why()));
    }

    /** Users issue links for other devices, and get a token for a recovery code. */
    private static String issued(EnrollmentRecord link) {
        return link.passkey() != null
                ? AuditAction.DEVICE_LINK_ISSUED.code()
                : link.recovery() ? AuditAction.RECOVERY_CODE_USED.code() : "enrollment_issued";
    }
}
