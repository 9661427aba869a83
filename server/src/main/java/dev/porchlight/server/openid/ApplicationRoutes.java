// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUsers;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The applications of third parties that a user has agreed to: {@code /auth/applications}. */
final class ApplicationRoutes {
    private final Clients clients;
    private final Consents consents;
    private final AuthorizationEnds ends;
    private final SignedInUsers users;
    private final Units units;
    private final Consumer<List<Authorization>> ended;

    /**
     * Routes for the account page.
     *
     * @param ended notifies clients of authorizations that have ended
     */
    ApplicationRoutes(
            Clients clients,
            Consents consents,
            AuthorizationEnds ends,
            SignedInUsers users,
            Units units,
            Consumer<List<Authorization>> ended) {
        this.clients = clients;
        this.consents = consents;
        this.ends = ends;
        this.users = users;
        this.units = units;
        this.ended = ended;
    }

    void mount(Router.Builder router) {
        router.get("/auth/applications", Access.USER, this::list);
        router.add(Method.DELETE, "/auth/applications/{clientId}", Access.USER, this::revoke);
    }

    private Response list(Exchange exchange) throws ProblemException {
        String userId = users.find(exchange).grant().userId();
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

    /** A consent that the user revoked, with the authorizations that ended with it; or none. */
    private record Revoked(boolean done, List<Authorization> ended) {}

    /** Revokes the consent, and ends the tokens that the application has for the user. Without a consent nothing ends. */
    private Response revoke(Exchange exchange) throws ProblemException {
        String userId = users.find(exchange).grant().userId();
        String clientId = exchange.pathParameter("clientId");
        Revoked revoked = units.commit("revoke a consent", new Unit<Revoked>() {
            @Override
            public Revoked write(Connection connection) throws SQLException {
                // In this order: a sign-in at the same time holds the consent until its authorization is stored.
                return Consents.remove(connection, userId, clientId)
                        ? new Revoked(true, ends.endUser(connection, userId, clientId))
                        : new Revoked(false, List.of());
            }

            @Override
            public @Nullable AuditEvent event(Revoked result) {
                return result.done()
                        ? AuditEvent.of(AuditAction.CLIENT_CONSENT_REVOKED, userId, exchange.correlationId())
                                .withClient(clientId)
                        : null;
            }
        });
        if (!revoked.done()) {
            throw new ProblemException(Problem.NOT_FOUND);
        }
        ended.accept(revoked.ended());
        return Response.of(204);
    }
}
