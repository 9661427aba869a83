// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.EnrollmentFault;
import dev.porchlight.server.auth.EnrollmentRecord;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Grants;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.Permission;
import dev.porchlight.server.auth.Registrant;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.http.Authenticator;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.token.KeyRing;
import dev.porchlight.server.token.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates users by token, session cookie or, for registrations, enrollment token, and operators by {@link AdminGate}.
 */
public final class Callers implements Authenticator {
    private static final String BEARER = "Bearer ";
    static final Problem UNAUTHENTICATED =
            Problem.of(401, "unauthenticated", "Sign in first. This requires a token or a session.");
    private static final Problem INVALID = Problem.of(
            401, "unauthenticated", "This token is invalid or has expired. Sign in, or request a new enrollment link.");
    private static final Problem EXPIRED =
            Problem.of(401, "enrollment_expired", "This enrollment link has expired. Request a new one.");
    private static final Problem USED =
            Problem.of(401, "enrollment_used", "This enrollment link was used already. Sign in, or request a new one.");
    private static final Problem DAMAGED = Problem.of(
            401, "enrollment_damaged", "This enrollment link is incomplete or was changed. Copy the whole link.");
    static final Problem ENDED =
            Problem.of(401, "enrollment_ended", "This enrollment link is no longer valid. Request a new one.");
    /** Of a link for another device, which operators cannot replace. */
    private static final Problem DEVICE_LINK_ENDED = Problem.of(
            401, "enrollment_device_ended", "This link no longer works. Create a new one on the account page.");

    private static final Problem DEVICE_LINK_USED = Problem.of(
            401,
            "enrollment_device_used",
            "This link was used already. Sign in, or create a new one on the account page.");
    private static final Problem DEVICE_LINK_DAMAGED = Problem.of(
            401,
            "enrollment_device_damaged",
            "This link is incomplete or was changed. Copy the whole link, or create a new one on the account page.");
    private static final Problem RECOVERY_ENDED =
            Problem.of(401, "enrollment_recovery_ended", "This recovery code no longer works. Use another one.");
    private static final Problem SIGNUP_EXPIRED =
            Problem.of(401, "signup_expired", "The sign-up took too long. Start again.");

    static final Problem RECENT_LOGIN_REQUIRED = Problem.of(CommonProblem.RECENT_LOGIN_REQUIRED);

    private final Tokens tokens;
    private final Sessions sessions;
    private final KeyRing keys;
    private final Grants grants;
    private final Enrollments enrollments;
    private final SessionCookie cookie;
    private final AdminGate operators;
    private final Duration recentLogin;
    private final InstantSource clock;
    private final BiConsumer<Exchange, EnrollmentFault> faults;

    /**
     * Authenticates callers against these stores.
     *
     * @param recentLogin how long a sign-in counts as recent
     * @param faults is notified of refused enrollment tokens
     */
    public Callers(
            Tokens tokens,
            KeyRing keys,
            Grants grants,
            Sessions sessions,
            Enrollments enrollments,
            SessionCookie cookie,
            AdminGate operators,
            Duration recentLogin,
            InstantSource clock,
            BiConsumer<Exchange, EnrollmentFault> faults) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.keys = keys;
        this.grants = grants;
        this.enrollments = enrollments;
        this.cookie = cookie;
        this.operators = operators;
        this.recentLogin = recentLogin;
        this.clock = clock;
        this.faults = faults;
    }

    @Override
    public Caller user(Exchange exchange) throws ProblemException {
        return signedIn(exchange, UNAUTHENTICATED);
    }

    /** The session of a browser, or null. A token does not count: what is derived from a session may outlive a token. */
    public @Nullable Session session(Exchange exchange) throws ProblemException {
        Caller caller = find(exchange);
        if (caller == null) {
            exchange.unauthenticated(hasCredential(exchange));
            return null;
        }
        exchange.authenticated(caller.userId());
        return caller.session();
    }

    @Override
    public Caller recentUser(Exchange exchange) throws ProblemException {
        return recent(user(exchange));
    }

    @Override
    public Caller leavingUser(Exchange exchange) throws ProblemException {
        try {
            return user(exchange);
        } catch (ProblemException refused) {
            if (refused.problem().status() == 401) {
                exchange.responseHeader("Set-Cookie", cookie.forget());
            }
            throw refused;
        }
    }

    @Override
    public Registrant registrant(Exchange exchange) throws ProblemException {
        String bearer = bearer(exchange);
        // An access token has dots. A damaged link may have lost its prefix.
        if (bearer != null && (Enrollments.isToken(bearer) || bearer.indexOf('.') < 0)) {
            Enrollment enrollment = enrollments.find(bearer);
            if (enrollment != null) {
                exchange.authenticated(enrollment.userId());
                return new Registrant(enrollment.userId(), null, enrollment);
            }
            EnrollmentFault fault = enrollments.fault(bearer);
            if (Enrollments.isToken(bearer) || fault.link() != null) {
                throw refused(exchange, fault);
            }
        }
        Caller caller = recent(signedIn(exchange, bearer == null ? UNAUTHENTICATED : INVALID));
        return new Registrant(caller.userId(), caller, null);
    }

    @Override
    public Operator operator(Exchange exchange, Permission permission, boolean recent) throws ProblemException {
        return operators.require(
                exchange, permission, this::openSession, session -> !recent || isRecent(session.grant()));
    }

    /** Whether an operator who was authenticated before still has that access. */
    public boolean isCurrent(Operator operator) {
        return operators.isCurrent(
                operator, session -> sessions.isOpen(session.handle()) && grants.isValid(session.grant()));
    }

    @Override
    public void console(Exchange exchange) throws ProblemException {
        operators.requireOn(exchange, Problem.NOT_FOUND);
    }

    /** Requires that the user of an enrollment token is not locked. */
    void requireUnlocked(Exchange exchange, Registrant registrant) throws ProblemException {
        Enrollment enrollment = registrant.enrollment();
        if (enrollment != null && grants.isLocked(registrant.userId())) {
            throw refused(exchange, Enrollments.locked(enrollment));
        }
    }

    /** Refuses an enrollment token. The visitor learns what to do, and the operator why. */
    private ProblemException refused(Exchange exchange, EnrollmentFault fault) throws ProblemException {
        faults.accept(exchange, fault);
        EnrollmentRecord link = fault.link();
        boolean ofDevice = link != null && link.passkey() != null;
        boolean ofRecovery = link != null && link.recovery();
        Problem ended = ofDevice ? DEVICE_LINK_ENDED : ofRecovery ? RECOVERY_ENDED : null;
        return refused(
                exchange,
                switch (fault.reason()) {
                    case ENROLLMENT_EXPIRED -> ended == null ? EXPIRED : ended;
                    case ENROLLMENT_USED -> ofDevice ? DEVICE_LINK_USED : USED;
                    case ENROLLMENT_DAMAGED -> ofDevice ? DEVICE_LINK_DAMAGED : DAMAGED;
                    case SIGNUP_EXPIRED -> SIGNUP_EXPIRED;
                    case ENROLLMENT_LOCKED, ENROLLMENT_REVOKED, ENROLLMENT_UNKNOWN -> ended == null ? ENDED : ended;
                });
    }

    /** Requires a recent sign-in for a member of a body. */
    void requireRecent(Caller caller) throws ProblemException {
        var unused = recent(caller);
    }

    private Caller recent(Caller caller) throws ProblemException {
        if (!isRecent(caller.grant())) {
            throw new ProblemException(RECENT_LOGIN_REQUIRED);
        }
        return caller;
    }

    private boolean isRecent(Grant grant) {
        return grant.authTime().plus(recentLogin).isAfter(clock.instant());
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

    private Caller signedIn(Exchange exchange, Problem otherwise) throws ProblemException {
        Caller caller = find(exchange);
        if (caller == null) {
            throw refused(exchange, otherwise);
        }
        exchange.authenticated(caller.userId());
        return caller;
    }

    /** Refuses an invalid token even if the request has a valid cookie. */
    private @Nullable Caller find(Exchange exchange) {
        String bearer = bearer(exchange);
        if (bearer != null) {
            Tokens.Claims claims = tokens.check(bearer);
            return claims == null || !grants.isValid(claims.grant()) || !keys.isStored(claims.keyId())
                    ? null
                    : new Caller(
                            claims.grant(), claims.expiresAt(), null, null, claims.methods(), exchange.correlationId());
        }
        Session session = openSession(exchange);
        return session == null
                ? null
                : new Caller(
                        session.grant(),
                        Instant.ofEpochMilli(session.expiresAt()),
                        cookie.read(exchange),
                        session,
                        session.methods(),
                        exchange.correlationId());
    }

    /** The valid session of the cookie, or null. */
    private @Nullable Session openSession(Exchange exchange) {
        String id = cookie.read(exchange);
        Session session = id == null ? null : sessions.find(id);
        return session == null || !grants.isValid(session.grant()) ? null : session;
    }

    private ProblemException refused(Exchange exchange, Problem problem) throws ProblemException {
        exchange.unauthenticated(hasCredential(exchange));
        exchange.responseHeader("WWW-Authenticate", "Bearer");
        return new ProblemException(problem);
    }

    private boolean hasCredential(Exchange exchange) {
        return bearer(exchange) != null || cookie.read(exchange) != null;
    }
}
