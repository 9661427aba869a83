// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.server.token.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Authenticates the caller of a request by token, session cookie or, for registrations, enrollment token. */
public final class Callers {
    private static final String BEARER = "Bearer ";
    static final Problem UNAUTHENTICATED =
            Problem.of(401, "unauthenticated", "Sign in first. This requires a token or a session.");
    private static final Problem INVALID = Problem.of(
            401, "unauthenticated", "This token is invalid or has expired. Sign in, or request a new enrollment link.");
    static final Problem ENROLLMENT_OVER = Problem.of(
            401, "unauthenticated", "This enrollment link was used already or has expired. Request a new one.");

    private static final Problem RECENT_LOGIN_REQUIRED = Problem.of(CommonProblem.RECENT_LOGIN_REQUIRED);

    private final Tokens tokens;
    private final Sessions sessions;
    private final KeyRing keys;
    private final Grants grants;
    private final Enrollments enrollments;
    private final SessionCookie cookie;
    private final Duration recentLogin;
    private final InstantSource clock;

    /**
     * Authenticates callers against these stores.
     *
     * @param recentLogin how long a sign-in counts as recent
     */
    public Callers(
            Tokens tokens,
            KeyRing keys,
            Grants grants,
            Sessions sessions,
            Enrollments enrollments,
            SessionCookie cookie,
            Duration recentLogin,
            InstantSource clock) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.keys = keys;
        this.grants = grants;
        this.enrollments = enrollments;
        this.cookie = cookie;
        this.recentLogin = recentLogin;
        this.clock = clock;
    }

    /** Requires a signed-in user. */
    public Caller user(Exchange exchange) throws ProblemException {
        return required(exchange, signedIn(exchange), UNAUTHENTICATED);
    }

    /** The session of a browser, or null. A token does not count: what is derived from a session may outlive a token. */
    public @Nullable Session session(Exchange exchange) throws ProblemException {
        Caller caller = signedIn(exchange);
        if (caller == null) {
            exchange.unauthenticated(hasCredential(exchange));
            return null;
        }
        exchange.authenticated(caller.userId());
        return caller.session();
    }

    /** Requires a recent sign-in, so that a stolen session or token alone cannot add or remove passkeys. */
    Caller recentUser(Exchange exchange) throws ProblemException {
        return recent(user(exchange));
    }

    /** Requires a recent sign-in or an enrollment token, whose user may be locked. */
    Caller registrant(Exchange exchange) throws ProblemException {
        String bearer = bearer(exchange);
        if (bearer == null) {
            return recentUser(exchange);
        }
        return Enrollments.isToken(bearer)
                ? required(exchange, enrolling(bearer), ENROLLMENT_OVER)
                : recent(required(exchange, signedIn(exchange), INVALID));
    }

    /** Requires that the user of an enrollment token is not locked. */
    void requireUnlocked(Exchange exchange, Caller caller) throws ProblemException {
        required(exchange, grants.isLocked(caller.userId()) ? null : caller, ENROLLMENT_OVER);
    }

    private Caller recent(Caller caller) throws ProblemException {
        Instant authTime = caller.authTime();
        if (authTime != null && !authTime.plus(recentLogin).isAfter(clock.instant())) {
            throw new ProblemException(RECENT_LOGIN_REQUIRED);
        }
        return caller;
    }

    /** Returns the bearer token of the {@code Authorization} header, or null. */
    static @Nullable String bearer(Exchange exchange) {
        return bearer(exchange.header("Authorization"));
    }

    static @Nullable String bearer(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }

    /** Refuses an invalid token even if the request has a valid cookie. */
    private @Nullable Caller signedIn(Exchange exchange) {
        String bearer = bearer(exchange);
        if (bearer != null) {
            Tokens.Claims claims = tokens.check(bearer);
            return claims == null || !grants.isValid(claims.grant()) || !keys.isStored(claims.keyId())
                    ? null
                    : new Caller(
                            claims.grant().userId(),
                            claims.grant(),
                            claims.expiresAt(),
                            null,
                            null,
                            null,
                            claims.methods());
        }
        String id = cookie.read(exchange);
        Session session = id == null ? null : sessions.find(id);
        return session == null || !grants.isValid(session.grant())
                ? null
                : new Caller(
                        session.userId(),
                        session.grant(),
                        Instant.ofEpochMilli(session.expiresAt()),
                        id,
                        session,
                        null,
                        session.methods());
    }

    private @Nullable Caller enrolling(String token) {
        Enrollment enrollment = enrollments.find(token);
        return enrollment == null
                ? null
                : new Caller(
                        enrollment.userId(),
                        null,
                        Instant.ofEpochMilli(enrollment.expiresAt()),
                        null,
                        null,
                        enrollment,
                        List.of());
    }

    private Caller required(Exchange exchange, @Nullable Caller caller, Problem otherwise) throws ProblemException {
        if (caller == null) {
            exchange.unauthenticated(hasCredential(exchange));
            exchange.responseHeader("WWW-Authenticate", "Bearer");
            throw new ProblemException(otherwise);
        }
        exchange.authenticated(caller.userId());
        return caller;
    }

    private boolean hasCredential(Exchange exchange) {
        return bearer(exchange) != null || cookie.read(exchange) != null;
    }
}
