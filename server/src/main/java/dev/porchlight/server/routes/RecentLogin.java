// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Demands a recent sign-in where passkeys are added or removed, so that a stolen session or token alone cannot do it. An
 * enrollment token is exempt: it is valid for one registration only.
 */
final class RecentLogin {
    private static final Problem REQUIRED = Problem.of(
            403, "recent_login_required", "Sign in again first: adding or removing a passkey needs a recent sign-in");

    private final Duration window;
    private final InstantSource clock;

    RecentLogin(Duration window, InstantSource clock) {
        this.window = window;
        this.clock = clock;
    }

    /** The caller, whose sign-in is recent. */
    Caller require(Caller caller) throws ProblemException {
        Instant authTime = caller.authTime();
        if (authTime != null && !authTime.plus(window).isAfter(clock.instant())) {
            throw new ProblemException(REQUIRED);
        }
        return caller;
    }
}
