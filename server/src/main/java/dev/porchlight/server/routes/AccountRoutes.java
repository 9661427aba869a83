// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyListing;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.Texts;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Grant;
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
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.ReportedEvents;
import dev.porchlight.server.storage.Units;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A signed-in user's own passkeys and sessions: {@code /auth/passkey/credentials}, {@code /auth/session}, {@code /auth/sessions}
 * and {@code /auth/logout}. Those of other users are not found.
 */
public final class AccountRoutes {
    private static final String PASSKEYS = "/auth/passkey/credentials";
    private static final String PASSKEY = PASSKEYS + "/{credentialId}";
    private static final Problem NO_PASSKEY = Problem.of(CommonProblem.NO_SUCH_PASSKEY);
    private static final Problem LAST = Problem.of(CommonProblem.LAST_CREDENTIAL);
    /** How long renames by one session are only counted after an audit row. */
    private static final Duration COUNTED = Duration.ofMinutes(5);

    private static final Problem NO_SESSION = Problem.of(404, "not_found", "You have no such session.");

    private final PasskeyService passkeys;
    private final PasskeyConfig config;
    private final Sessions sessions;
    private final SessionCookie cookie;
    private final UserAdministration users;
    private final Units units;
    private final Sql sql;
    private final InstantSource clock;

    public AccountRoutes(
            PasskeyService passkeys,
            PasskeyConfig config,
            Sessions sessions,
            SessionCookie cookie,
            UserAdministration users,
            Units units,
            Sql sql,
            InstantSource clock) {
        this.passkeys = passkeys;
        this.config = config;
        this.sessions = sessions;
        this.cookie = cookie;
        this.users = users;
        this.units = units;
        this.sql = sql;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get(PASSKEYS, Access.USER, (exchange, caller) -> Response.json(200, listing(caller)));
        router.add(Method.PATCH, PASSKEY, Access.USER, this::rename);
        router.add(Method.DELETE, PASSKEY, Access.RECENT_USER, this::remove);
        router.get("/auth/session", Access.USER, this::currentUser);
        router.get("/auth/sessions", Access.USER, this::listSessions);
        router.add(Method.DELETE, "/auth/sessions/{session}", Access.USER, this::endSession);
        router.post("/auth/logout", Access.LOGOUT, this::logout);
    }

    private Response rename(Exchange exchange, Caller caller) throws Exception {
        String name = Texts.require("name", exchange.jsonObject().text("name"));
        String credentialId = exchange.pathParameter("credentialId");
        CredentialRecord passkey = passkeys.passkeys(caller.userId()).stream()
                .filter(it -> it.credentialId().equals(credentialId))
                .findFirst()
                .orElseThrow(() -> new ProblemException(NO_PASSKEY));
        if (!name.equals(passkey.details().name()) && !rename(caller, credentialId, name)) {
            throw new ProblemException(NO_PASSKEY);
        }
        return Response.json(200, listing(caller));
    }

    /** A signed-in user in a loop must not fill the audit log. False if the passkey was removed in the meantime. */
    private boolean rename(Caller caller, String credentialId, String name) {
        // Without the user id: a hash of it would remain after an erasure.
        Session session = caller.session();
        String by = session == null ? caller.grant().credentialId() : session.handle();
        Instant now = clock.instant();
        Instant older = now.minus(COUNTED);
        Optional<OptionalLong> unaudited = units.commit(
                "rename a passkey",
                caller,
                Target.user(caller.userId()),
                connection -> SqlCredentialStore.rename(connection, caller.userId(), credentialId, name)
                        ? Optional.of(
                                ReportedEvents.count(connection, "renamed " + credentialId + ' ' + by, now, older, 1))
                        : Optional.empty(),
                renamed -> renamed.isPresent() && renamed.get().isPresent()
                        ? AuditEvent.of(AuditAction.PASSKEY_RENAMED, caller.userId())
                                .withFurther(renamed.get().getAsLong())
                        : null);
        return unaudited.isPresent();
    }

    private Response remove(Exchange exchange, Caller caller) throws ProblemException {
        String credentialId = exchange.pathParameter("credentialId");
        boolean allowLast = "true".equals(exchange.queryParameter("force"));
        return switch (users.removePasskey(caller.userId(), credentialId, allowLast, caller)) {
            case REMOVED -> Response.json(200, listing(caller));
            case LAST -> throw new ProblemException(LAST);
            case NOT_FOUND -> throw new ProblemException(NO_PASSKEY);
        };
    }

    /** The passkeys, and the signal that browsers pass to passkey managers. */
    private String listing(Caller caller) {
        PasskeyListing listing = PasskeyListing.of(passkeys, config, caller.userId());
        Map<String, PasskeySource> sources = PasskeySource.of(sql, listing.passkeys());
        return listing.toJson((member, credential) -> {
            sources.getOrDefault(credential.credentialId(), PasskeySource.UNKNOWN)
                    .write(member);
            if (isNew(credential, sources, caller.session())) {
                member.bool("newSinceLastLogin", true);
            }
        });
    }

    /**
     * Whether a passkey was added or imported after the user last signed in with the passkey of this session, and before this
     * session began. Only another sign-in with that same passkey ends the notice, so an attacker who added the new one cannot.
     * Passkeys that were imported together are not new to each other.
     */
    private static boolean isNew(
            CredentialRecord credential, Map<String, PasskeySource> sources, @Nullable Session session) {
        if (session == null || session.lastSignIn() == 0) {
            return false;
        }
        String current = session.grant().credentialId();
        Long ownImport = importedAt(sources, current);
        Long importedAt = importedAt(sources, credential.credentialId());
        long addedAt = importedAt == null ? Grant.createdAt(credential) : importedAt;
        return !credential.credentialId().equals(current)
                && addedAt > Math.max(session.lastSignIn(), ownImport == null ? 0 : ownImport)
                && addedAt < session.authTime() + 1_000;
    }

    private static @Nullable Long importedAt(Map<String, PasskeySource> sources, String credentialId) {
        return sources.getOrDefault(credentialId, PasskeySource.UNKNOWN).importedAt();
    }

    private Response currentUser(Exchange exchange, Caller caller) {
        return Response.json(
                200,
                json -> json.text("userId", caller.userId())
                        .text("via", caller.sessionId() == null ? "token" : "session")
                        .number("authTime", caller.grant().authTime().toEpochMilli())
                        .number("expiresAt", caller.expiresAt().toEpochMilli()));
    }

    private Response listSessions(Exchange exchange, Caller caller) {
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

    private Response endSession(Exchange exchange, Caller caller) throws ProblemException {
        if (!users.endSession(caller, exchange.pathParameter("session"))) {
            throw new ProblemException(NO_SESSION);
        }
        return Response.of(204);
    }

    /** Ends this session, or with {@code ?everywhere=true} all sessions and tokens of the user. */
    private Response logout(Exchange exchange, Caller caller) throws ProblemException {
        try {
            if ("true".equals(exchange.queryParameter("everywhere"))) {
                users.signOutEverywhere(caller);
            } else if (caller.sessionId() != null && sessions.end(caller.sessionId())) { // a token does not end
                units.audit().append(AuditEvent.of(AuditAction.LOGOUT, caller.userId(), caller.correlationId()));
            }
        } catch (Actor.DeniedException e) {
            exchange.responseHeader("Set-Cookie", cookie.forget());
            throw e; // another request ended this access first
        }
        exchange.responseHeader("Set-Cookie", cookie.forget());
        return Response.of(204);
    }
}
