// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.server.auth.EnrollmentRecord;
import dev.porchlight.server.history.Fact;
import java.util.List;

/** What operators see of an enrollment link: who issued it, and until when it is valid, or what ended it. */
public final class EnrollmentFacts {
    private EnrollmentFacts() {}

    public static List<Fact> of(EnrollmentRecord link) {
        Fact issued = Fact.event("enrollment_issued", link.issuedAt(), link.issuedBy());
        if (link.ended().isEmpty()) {
            return List.of(issued, Fact.event("enrollment_valid_until", link.expiresAt(), ""));
        }
        String ended = link.ended().equals(EnrollmentRecord.USED) ? "enrollment_used" : "enrollment_ended";
        return List.of(issued, Fact.event(ended, link.endedAt(), link.endedBy()));
    }
}
