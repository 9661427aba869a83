// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.EditDistance;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.history.Fact;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What happened to an application since its request was refused. Thread-safe. */
final class ClientFailures {
    private static final int MAX_ROWS = 50;
    private static final int MAX_MISTAKES = 3;

    private final Clients clients;
    private final Groups groups;
    private final AuditStore audit;

    ClientFailures(Sql sql, Clients clients) {
        this.clients = clients;
        this.groups = new Groups(sql);
        this.audit = new AuditStore(sql);
    }

    /** The explanation with what holds now. */
    ExplainedCeremony of(ExplainedCeremony known) {
        ClientRefusal refusal = known.ceremony().clientRefusal();
        Cause cause = known.cause();
        if (refusal == null || cause == null || refusal.client().isEmpty()) {
            return known;
        }
        Client client = clients.find(refusal.client());
        ExplainedCeremony explained = known.with(UserEvents.facts(changes(refusal)));
        if (client == null) {
            return refusal.reason().equals(Reason.UNKNOWN_CLIENT.code())
                    ? known.with(closest(refusal.client()))
                    : explained.with(cause.withRemedy("client_removed"));
        }
        if (isOver(refusal, client)) {
            return explained.with(Cause.ended(refusal.reason()));
        }
        return hasSignedIn(refusal) ? explained.with(cause.withRemedy("signed_in")) : explained;
    }

    /** The registered client id that is most like another one, with at most three typing mistakes. */
    private List<Fact> closest(String clientId) {
        return clients.all().stream()
                .map(Client::id)
                .filter(id -> EditDistance.of(id, clientId) <= MAX_MISTAKES)
                .min(Comparator.comparingInt(id -> EditDistance.of(id, clientId)))
                .map(id -> Fact.text("closest_client", id))
                .stream()
                .toList();
    }

    /** Whether the client and the groups as they are now would not be refused for this. */
    private boolean isOver(ClientRefusal refusal, Client client) {
        boolean absent = refusal.found().equals(ClientRefusal.ABSENT);
        Reason reason = reason(refusal);
        return reason != null
                && switch (reason) {
                    case UNKNOWN_CLIENT -> true;
                    case REDIRECT_URI_MISMATCH -> !absent && client.accepts(refusal.found());
                    case MISSING_PKCE -> !client.needsPkce();
                    case PUSHED_REQUEST_REQUIRED -> !client.settings().rules().pushedRequests();
                    case NOT_IN_GROUP, LEFT_GROUP ->
                        !refusal.user().isEmpty() && groups.refusal(client, refusal.user(), reason) == null;
                    default -> false;
                };
    }

    private static @Nullable Reason reason(ClientRefusal refusal) {
        return Stream.of(Reason.values())
                .filter(reason -> reason.code().equals(refusal.reason()))
                .findFirst()
                .orElse(null);
    }

    /** The changes since, newest first, that can have made the difference. */
    private List<AuditEntry> changes(ClientRefusal refusal) {
        long since = refusal.request().at();
        Stream<AuditEntry> ofClient = Stream.of(
                        AuditAction.CLIENT_ADDED, AuditAction.CLIENT_CHANGED, AuditAction.CLIENT_REMOVED)
                .flatMap(action ->
                        audit
                                .entries(
                                        new AuditEntry.Query(null, null, action, since, Long.MAX_VALUE, null), MAX_ROWS)
                                .stream()
                                .filter(entry -> entry.event().clientId().equals(refusal.client()))
                                .limit(1));
        List<AuditAction> ofGroups = List.of(AuditAction.GROUP_MEMBER_ADDED, AuditAction.GROUP_MEMBER_REMOVED);
        Stream<AuditEntry> ofUser = refusal.user().isEmpty()
                ? Stream.empty()
                : audit.ofUser(refusal.user(), ofGroups, Long.MAX_VALUE, 1).stream()
                        .filter(entry -> entry.at() > since);
        return Stream.concat(ofClient, ofUser).toList();
    }

    private boolean hasSignedIn(ClientRefusal refusal) {
        return !refusal.user().isEmpty()
                && audit
                        .ofUser(refusal.user(), List.of(AuditAction.CLIENT_AUTHORIZE), Long.MAX_VALUE, MAX_ROWS)
                        .stream()
                        .anyMatch(entry -> entry.at() > refusal.request().at()
                                && entry.event().clientId().equals(refusal.client()));
    }
}
