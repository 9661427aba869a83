// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.AuthorizationEnds;
import dev.porchlight.server.openid.logout.Logouts;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.Consents;
import dev.porchlight.server.storage.Units;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The applications of third parties that a user has agreed to: {@code /auth/applications}. */
public final class ApplicationRoutes {
    private final Clients clients;
    private final Consents consents;
    private final AuthorizationEnds ends;
    private final Units units;
    private final Logouts logouts;
    private final InstantSource clock;

    public ApplicationRoutes(
            Clients clients, Sql sql, AuthorizationEnds ends, Units units, Logouts logouts, InstantSource clock) {
        this.clients = clients;
        this.consents = new Consents(sql);
        this.ends = ends;
        this.units = units;
        this.logouts = logouts;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get("/auth/applications", Access.USER, this::list);
        router.add(Method.DELETE, "/auth/applications/{clientId}", Access.USER, this::revoke);
    }

    private Response list(Exchange exchange, Caller caller) {
        String userId = caller.userId();
        List<Consents.Consent> agreed = clients.exist() ? consents.of(userId) : List.of();
        return Response.json(
                200,
                json -> json.objects(
                        "applications",
                        agreed,
                        (member, consent) -> member.text("clientId", consent.clientId())
                                .text("name", consent.clientName())
                                .texts("scopes", consent.scopes())
                                .number("agreedAt", consent.agreedAt())));
    }

    /** Revokes the consent, and ends the tokens that the application has for the user. Without a consent nothing ends. */
    private Response revoke(Exchange exchange, Caller caller) throws ProblemException {
        String userId = caller.userId();
        String clientId = exchange.pathParameter("clientId");
        // Without the user id: a hash of it would remain after an erasure.
        String change = "revoked " + clientId + ' ' + caller.grant().credentialId();
        Optional<Revocation> revoked = units.commit(
                "revoke a consent",
                caller,
                Target.NONE,
                // In this order: a sign-in at the same time holds the consent until its authorization is stored.
                connection -> Consents.remove(connection, userId, clientId)
                        ? Optional.of(new Revocation(
                                ends.endUser(connection, userId, clientId),
                                CodeIssuer.countConsent(connection, change, clock.instant())))
                        : Optional.empty(),
                done -> done.isPresent() && done.get().unaudited.isPresent()
                        ? AuditEvent.of(AuditAction.CLIENT_CONSENT_REVOKED, userId)
                                .withClient(clientId)
                                .withFurther(done.get().unaudited.getAsLong())
                        : null);
        logouts.report(revoked.orElseThrow(() -> new ProblemException(Problem.NOT_FOUND)).ended);
        return Response.of(204);
    }

    /** What ended, and the number of earlier revocations without an audit row; empty if this one gets none either. */
    private record Revocation(List<Authorization> ended, OptionalLong unaudited) {}
}
