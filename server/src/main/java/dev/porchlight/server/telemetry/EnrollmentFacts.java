// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.auth.EnrollmentRecord;
import dev.porchlight.server.history.Fact;
import java.util.List;

/** What operators see of an enrollment link: who issued it, and until when it is valid, or what ended it. */
public final class EnrollmentFacts {
    private EnrollmentFacts() {}

    public static List<Fact> of(EnrollmentRecord link) {
        Fact issued = Fact.event(issued(link), link.issuedAt(), link.issuedBy());
        if (link.ended().isEmpty()) {
            return List.of(issued, Fact.event("enrollment_valid_until", link.expiresAt(), ""));
        }
        return List.of(
                issued,
                link.ended().equals(EnrollmentRecord.USED)
                        ? Fact.event("enrollment_used", link.endedAt(), "")
                        : new Fact("enrollment_ended", link.endedAt(), link.endedBy(), link.ended()));
    }

    /** Users issue links for other devices, and get a token for a recovery code. */
    private static String issued(EnrollmentRecord link) {
        return link.passkey() != null
                ? AuditAction.DEVICE_LINK_ISSUED.code()
                : link.recovery() ? AuditAction.RECOVERY_CODE_USED.code() : "enrollment_issued";
    }
}
