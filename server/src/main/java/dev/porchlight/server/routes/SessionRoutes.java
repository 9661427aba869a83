// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.auth.UserAdministration;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;

/** The current user and their sessions: {@code /auth/session}, {@code /auth/sessions}, {@code /auth/logout}. */
public final class SessionRoutes {
    private static final Problem NOT_FOUND = Problem.of(404, "not_found", "You have no such session.");

    private final Sessions sessions;
    private final SessionCookie cookie;
    private final AuditLog audit;
    private final UserAdministration users;

    public SessionRoutes(Sessions sessions, SessionCookie cookie, AuditLog audit, UserAdministration users) {
        this.sessions = sessions;
        this.users = users;
        this.cookie = cookie;
        this.audit = audit;
    }

    public void mount(Router.Builder router) {
        router.get("/auth/session", Access.USER, this::currentUser);
        router.get("/auth/sessions", Access.USER, this::list);
        router.add(Method.DELETE, "/auth/sessions/{session}", Access.USER, this::end);
        router.post("/auth/logout", Access.LOGOUT, this::logout);
    }

    private Response currentUser(Exchange exchange, Caller caller) {
        return Response.json(
                200,
                json -> json.text("userId", caller.userId())
                        .text("via", caller.sessionId() == null ? "token" : "session")
                        .number("authTime", caller.grant().authTime().toEpochMilli())
                        .number("expiresAt", caller.expiresAt().toEpochMilli()));
    }

    private Response list(Exchange exchange, Caller caller) {
        Session current = caller.session();
        return Response.json(
                200,
                json -> json.objects(
                        "sessions",
                        sessions.of(caller.userId()),
                        (member, session) -> member.text("session", session.handle())
                                .number("authTime", session.authTime())
                                .number("expiresAt", session.expiresAt())
                                .text("userAgent", session.userAgent())
                                .bool("current", session.equals(current))));
    }

    private Response end(Exchange exchange, Caller caller) throws ProblemException {
        if (!sessions.endByHandle(caller.userId(), exchange.pathParameter("session"))) {
            throw new ProblemException(NOT_FOUND);
        }
        audit.append(AuditEvent.of(AuditAction.SESSION_ENDED, caller.userId(), exchange.correlationId()));
        return Response.of(204);
    }

    /** Ends this session, or with {@code ?everywhere=true} all sessions and tokens of the user. */
    private Response logout(Exchange exchange, Caller caller) throws ProblemException {
        if ("true".equals(exchange.queryParameter("everywhere"))) {
            boolean done = users.signOutEverywhere(caller.grant(), exchange.correlationId());
            exchange.responseHeader("Set-Cookie", cookie.forget());
            if (!done) {
                throw new ProblemException(Callers.UNAUTHENTICATED); // another request ended this access first
            }
            return Response.of(204);
        }
        exchange.responseHeader("Set-Cookie", cookie.forget());
        if (caller.sessionId() != null) {
            sessions.end(caller.sessionId());
        }
        audit.append(AuditEvent.of(AuditAction.LOGOUT, caller.userId(), exchange.correlationId()));
        return Response.of(204);
    }
}
