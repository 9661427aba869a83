// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyListing;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.PasskeyRemovals;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.PasskeySource;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists, renames and removes a user's own passkeys. Those of other users are not found. */
public final class CredentialRoutes {
    private static final Problem NOT_FOUND = Problem.of(CommonProblem.NO_SUCH_PASSKEY);
    private static final Problem LAST = Problem.of(CommonProblem.LAST_CREDENTIAL);

    private final PasskeyService passkeys;
    private final PasskeyConfig config;
    private final PasskeyRemovals removals;
    private final AuditLog audit;
    private final Sql sql;

    public CredentialRoutes(
            PasskeyService passkeys, PasskeyConfig config, PasskeyRemovals removals, AuditLog audit, Sql sql) {
        this.passkeys = passkeys;
        this.config = config;
        this.removals = removals;
        this.audit = audit;
        this.sql = sql;
    }

    public void mount(Router.Builder router) {
        router.get("/auth/passkey/credentials", Access.USER, this::list);
        router.add(Method.PATCH, "/auth/passkey/credentials/{credentialId}", Access.USER, this::rename);
        router.add(Method.DELETE, "/auth/passkey/credentials/{credentialId}", Access.RECENT_USER, this::remove);
    }

    private Response list(Exchange exchange, Caller caller) {
        return Response.json(200, listing(caller));
    }

    private Response rename(Exchange exchange, Caller caller) throws Exception {
        String name = exchange.jsonObject().text("name");
        if (!passkeys.rename(caller.userId(), exchange.pathParameter("credentialId"), name)) {
            throw new ProblemException(NOT_FOUND);
        }
        audit.append(AuditEvent.of(AuditAction.PASSKEY_RENAMED, caller.userId(), exchange.correlationId()));
        return Response.json(200, listing(caller));
    }

    private Response remove(Exchange exchange, Caller caller) throws ProblemException {
        String credentialId = exchange.pathParameter("credentialId");
        boolean allowLast = "true".equals(exchange.queryParameter("force"));
        Removal removal = removals.remove(
                        caller.userId(), credentialId, allowLast, caller.grant(), exchange.correlationId())
                .orElseThrow(() -> new ProblemException(Callers.UNAUTHENTICATED)); // the caller's passkey is gone
        return switch (removal) {
            case REMOVED -> Response.json(200, listing(caller));
            case LAST -> throw new ProblemException(LAST);
            case NOT_FOUND -> throw new ProblemException(NOT_FOUND);
        };
    }

    /** The passkeys, and the signal that browsers pass to passkey managers. */
    private String listing(Caller caller) {
        PasskeyListing listing = PasskeyListing.of(passkeys, config, caller.userId());
        Map<String, String> userAgents = PasskeySource.of(sql, listing.passkeys());
        return listing.toJson((member, credential) -> {
            String userAgent = userAgents.get(credential.credentialId());
            if (userAgent != null) {
                member.text("userAgent", userAgent);
            }
            if (isNew(credential, caller.session())) {
                member.bool("newSinceLastLogin", true);
            }
        });
    }

    /**
     * Whether a passkey was added after the user last signed in with the passkey of this session, and before this session
     * began. Only another sign-in with that same passkey ends the notice, so an attacker who added the new one cannot.
     */
    private static boolean isNew(CredentialRecord credential, @Nullable Session session) {
        Instant createdAt = credential.createdAt();
        return session != null
                && createdAt != null
                && session.lastSignIn() != 0
                && !credential.credentialId().equals(session.grant().credentialId())
                && createdAt.toEpochMilli() > session.lastSignIn()
                && createdAt.isBefore(session.grant().authTime().plusSeconds(1));
    }
}
