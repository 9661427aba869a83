// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.logout;

import dev.porchlight.observe.Observability;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.AuthorizationEnds;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.token.OpenIdTokens;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Ends sessions, and what clients got from sign-ins, and notifies those that want it. Thread-safe. */
public final class Logouts implements AutoCloseable {
    private final Sessions sessions;
    private final AuditLog audit;
    private final Clients clients;
    private final Groups groups;
    private final AuthorizationEnds ends;
    private final BackChannelLogout backChannel;
    private final InstantSource clock;
    private volatile String sweptUntil = "";

    public Logouts(
            Sessions sessions,
            AuditLog audit,
            Clients clients,
            Groups groups,
            AuthorizationEnds ends,
            OpenIdTokens tokens,
            Observability observe,
            InstantSource clock) {
        this.sessions = sessions;
        this.audit = audit;
        this.clients = clients;
        this.groups = groups;
        this.ends = ends;
        this.backChannel =
                new BackChannelLogout(clients, tokens, observe.metrics(), observe.logger(), BackChannelLogout.TIMEOUT);
        this.clock = clock;
    }

    /** Ends the user's session with a handle, and what clients got from it; false if there is none. */
    boolean end(String userId, String session, String correlationId) {
        sessionEnded(session); // what clients got from it can outlive it
        boolean ended = sessions.endByHandle(userId, session);
        if (ended) {
            audit.append(AuditEvent.of(AuditAction.LOGOUT, userId, correlationId));
        }
        return ended;
    }

    /** Ends what clients got from the session with a handle, which has ended. */
    public void sessionEnded(String session) {
        if (!session.isEmpty() && clients.exist()) {
            report(ends.endSession(session));
        }
    }

    /** The same within the transaction that ends the session; returns what notifies the clients after the commit. */
    public Runnable sessionEnds(Connection connection, String session) throws SQLException {
        List<Authorization> ended = ends.endSession(connection, session);
        return () -> report(ended);
    }

    /** Notifies the clients of authorizations that have ended. */
    public void report(List<Authorization> ended) {
        if (!ended.isEmpty()) {
            backChannel.afterwards(() -> ended);
        }
    }

    /** Ends what clients got from a user's sign-ins that are no longer valid. */
    public void accessEnded(String userId) {
        backChannel.afterwards(() -> clients.exist() ? ends.endInvalid(userId, this::allowed) : List.of());
    }

    /** Ends what a client got before its settings became stricter. */
    public void becameStricter(String clientId) {
        backChannel.afterwards(() -> ends.endInvalidOfClient(clientId, this::allowed));
    }

    /** Whether the present settings of a client allow an authorization, and the groups of its user. */
    private Predicate<Authorization> allowed() {
        Map<String, Client> present = clients.all().stream().collect(Collectors.toMap(Client::id, Function.identity()));
        return authorization -> {
            Client client = present.get(authorization.clientId());
            return client != null
                    && authorization.refusal(client) == null
                    && groups.refusal(client, authorization.userId(), Reason.LEFT_GROUP) == null;
        };
    }

    /** Removes expired rows, and in turn looks for sign-ins that ended elsewhere: at another instance, or by a command. */
    public void sweep() {
        if (!clients.exist()) {
            return;
        }
        ends.removeExpired(clock.millis());
        AuthorizationEnds.Page page = ends.endInvalidAfter(sweptUntil, this::allowed);
        sweptUntil = page.last();
        report(page.ended());
    }

    @Override
    public void close() {
        backChannel.close();
    }
}
