// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why an enrollment token is refused, for operators. A visitor learns only what to do.
 *
 * @param link the token that was issued; null if it is not known which one it was
 * @param expected what would have been accepted, if the token is damaged
 * @param found what is wrong with a damaged token
 */
public record EnrollmentFault(Reason reason, @Nullable EnrollmentRecord link, String expected, String found) {
    /** The reason of a refusal. */
    public enum Reason {
        ENROLLMENT_EXPIRED,
        ENROLLMENT_USED,
        ENROLLMENT_LOCKED,
        ENROLLMENT_REVOKED,
        ENROLLMENT_DAMAGED,
        ENROLLMENT_UNKNOWN,
        SIGNUP_EXPIRED;

        /** The code in logs and in the console. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static EnrollmentFault of(Reason reason, EnrollmentRecord link) {
        return new EnrollmentFault(reason, link, "", "");
    }
}
