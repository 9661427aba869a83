// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Removals;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Cost;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user's own passkeys: list, rename, remove. Somebody else's are as if they did not exist. */
final class CredentialRoutes {
    private static final Duration RECENT = Duration.ofMinutes(5);
    private static final Problem NOT_FOUND = Problem.of(404, "not_found", "You have no such passkey");
    private static final Problem LAST =
            Problem.of(409, "last_credential", "This is your last passkey; without it you could not sign in again");
    private static final Problem STALE = Problem.of(
            403, "recent_login_required", "Sign in again first: this needs a login of the last five minutes");

    private final PasskeyService passkeys;
    private final PasskeyConfig config;
    private final Removals removals;
    private final AuditLog audit;
    private final Callers callers;
    private final InstantSource clock;

    CredentialRoutes(
            PasskeyService passkeys,
            PasskeyConfig config,
            Removals removals,
            AuditLog audit,
            Callers callers,
            InstantSource clock) {
        this.passkeys = passkeys;
        this.config = config;
        this.removals = removals;
        this.audit = audit;
        this.callers = callers;
        this.clock = clock;
    }

    void mount(Router.Builder router) {
        router.get("/auth/passkey/credentials", Cost.USER, this::list);
        router.add(Method.PATCH, "/auth/passkey/credentials/{credentialId}", Cost.USER, this::rename);
        router.add(Method.DELETE, "/auth/passkey/credentials/{credentialId}", Cost.USER, this::remove);
    }

    private Answer list(Exchange exchange) throws ProblemException {
        Caller caller = callers.user(exchange);
        return Answer.json(200, listing(caller.userId()));
    }

    private Answer rename(Exchange exchange) throws Exception {
        Caller caller = callers.user(exchange);
        String name = JsonBody.object(exchange).text("name");
        if (!passkeys.rename(caller.userId(), exchange.pathParameter("credentialId"), name)) {
            throw new ProblemException(NOT_FOUND);
        }
        audit.append(AuditEvent.of("passkey_renamed", caller.userId(), exchange.correlationId()));
        return Answer.json(200, listing(caller.userId()));
    }

    private Answer remove(Exchange exchange) throws ProblemException {
        Caller caller = callers.user(exchange);
        String credentialId = exchange.pathParameter("credentialId");
        boolean evenTheLast = "true".equals(exchange.queryParameter("force"));
        if (evenTheLast && !isRecent(caller.authTime())) {
            throw new ProblemException(STALE);
        }
        Removal removal = removals.remove(
                        caller.userId(), credentialId, evenTheLast, caller.credentialId(), exchange.correlationId())
                .orElseThrow(() -> new ProblemException(Callers.UNAUTHENTICATED)); // the caller's passkey is gone
        if (removal == Removal.LAST) {
            throw new ProblemException(LAST);
        }
        // Redis comes last: if it does not answer, there is no time left for the database.
        String left = removal == Removal.REMOVED ? listing(caller.userId()) : null;
        removals.endSessions(caller.userId(), credentialId);
        if (left == null) {
            throw new ProblemException(NOT_FOUND);
        }
        return Answer.json(200, left);
    }

    private boolean isRecent(@Nullable Instant authTime) {
        return authTime != null && authTime.plus(RECENT).isAfter(clock.instant());
    }

    /** The passkeys, and what browsers need to tell passkey managers which of theirs are still good. */
    private String listing(String userId) {
        List<CredentialRecord> records = passkeys.passkeys(userId);
        UserRecord user = passkeys.user(userId);
        return JsonWriter.object(json -> {
            json.objects("credentials", records, CredentialRoutes::write);
            if (user != null && user.userHandle() != null) {
                json.object(
                        "allAcceptedCredentials",
                        signal -> signal.text("rpId", config.rpId())
                                .text("userId", user.userHandle())
                                .texts(
                                        "allAcceptedCredentialIds",
                                        records.stream()
                                                .map(CredentialRecord::credentialId)
                                                .toList()));
            }
        });
    }

    private static void write(JsonWriter json, CredentialRecord credential) {
        json.text("credentialId", credential.credentialId());
        optional(json, "name", credential.name());
        optional(json, "aaguid", credential.aaguid());
        json.texts("transports", credential.transports());
        if (credential.backupEligible() != null) {
            json.bool("backupEligible", credential.backupEligible());
        }
        if (credential.backedUp() != null) {
            json.bool("backedUp", credential.backedUp());
        }
        time(json, "createdAt", credential.createdAt());
        time(json, "lastUsedAt", credential.lastUsedAt());
    }

    private static void optional(JsonWriter json, String name, @Nullable String value) {
        if (value != null) {
            json.text(name, value);
        }
    }

    private static void time(JsonWriter json, String name, @Nullable Instant at) {
        if (at != null) {
            json.number(name, at.toEpochMilli());
        }
    }
}
