// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import static dev.porchlight.spring.web.PasskeyEndpoint.problem;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.passkey.PasskeyService;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The signed-in user of a request, and whether the sign-in is recent. Thread-safe. */
record AccountUsers(PasskeyService passkeys, SignInTime times, RecentLogin recent) {
    /** Returns the user who is signed in, or null. A session ends for these routes when its passkey is removed. */
    @Nullable
    String find(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        String userId = principal == null ? PasskeySession.userId(request).orElse(null) : principal.getName();
        return userId == null || isPasskeyRemoved(request, userId) ? null : userId;
    }

    /** Returns whether the request's session began with a passkey that does not exist anymore. */
    boolean isPasskeyRemoved(HttpServletRequest request) {
        String userId = SessionSignIn.userId(request);
        return userId != null && isPasskeyRemoved(request, userId);
    }

    private boolean isPasskeyRemoved(HttpServletRequest request, String userId) {
        String credentialId = SessionSignIn.credentialId(request, userId);
        return credentialId != null
                && passkeys.passkeys(userId).stream()
                        .noneMatch(passkey -> passkey.credentialId().equals(credentialId));
    }

    /** Returns the user, or a 401 response. */
    String require(HttpServletRequest request) {
        return required(find(request));
    }

    /** Returns the user if they signed in recently. */
    String requireRecent(HttpServletRequest request) {
        return required(findRecent(request));
    }

    /** Returns the user if they signed in recently, or null if no user is signed in. */
    @Nullable
    String findRecent(HttpServletRequest request) {
        String userId = find(request);
        if (userId != null && !isRecent(times.of(request, userId), userId)) {
            throw problem(CommonProblem.RECENT_LOGIN_REQUIRED);
        }
        return userId;
    }

    /** Only the application knows how a user without a passkey signs in again. An unknown time is accepted from them. */
    private boolean isRecent(@Nullable Instant time, String userId) {
        if (time != null && time.plus(recent.maxAge()).isAfter(Instant.now())) {
            return true;
        }
        if (passkeys.passkeyCount(userId) > 0) {
            return false;
        }
        if (time != null) {
            throw problem(403, "sign_in_again", "Sign in again. Adding a passkey requires a recent sign-in.");
        }
        return true;
    }

    static String required(@Nullable String userId) {
        if (userId == null) {
            throw problem(401, "unauthenticated", "Sign in first.");
        }
        return userId;
    }
}
