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
import dev.porchlight.server.storage.Consents;
import dev.porchlight.server.storage.Units;
import java.util.List;
import java.util.Optional;

/** The applications of third parties that a user has agreed to: {@code /auth/applications}. */
public final class ApplicationRoutes {
    private final Clients clients;
    private final Consents consents;
    private final AuthorizationEnds ends;
    private final Units units;
    private final Logouts logouts;

    public ApplicationRoutes(Clients clients, Sql sql, AuthorizationEnds ends, Units units, Logouts logouts) {
        this.clients = clients;
        this.consents = new Consents(sql);
        this.ends = ends;
        this.units = units;
        this.logouts = logouts;
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
        Optional<List<Authorization>> ended = units.commit(
                "revoke a consent",
                // In this order: a sign-in at the same time holds the consent until its authorization is stored.
                connection -> Consents.remove(connection, userId, clientId)
                        ? Optional.of(ends.endUser(connection, userId, clientId))
                        : Optional.empty(),
                revoked -> revoked.isPresent()
                        ? AuditEvent.of(AuditAction.CLIENT_CONSENT_REVOKED, userId, exchange.correlationId())
                                .withClient(clientId)
                        : null);
        logouts.report(ended.orElseThrow(() -> new ProblemException(Problem.NOT_FOUND)));
        return Response.of(204);
    }
}
