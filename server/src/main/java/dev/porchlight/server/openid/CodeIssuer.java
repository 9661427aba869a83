// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUser;
import dev.porchlight.server.openid.OpenIdPorts.UserSessions;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Issues authorization codes, and stores what users agreed to. Thread-safe. */
final class CodeIssuer {
    private final Authorizations authorizations;
    private final AuthorizationEnds ends;
    private final Consents consents;
    private final UserSessions sessions;
    private final Consumer<String> sessionEnded;
    private final Consumer<List<Authorization>> ended;
    private final Units units;
    private final InstantSource clock;

    /**
     * An issuer of codes.
     *
     * @param sessionEnded ends what clients got from the session with a handle
     * @param ended notifies clients of authorizations that have ended
     */
    CodeIssuer(
            Authorizations authorizations,
            AuthorizationEnds ends,
            Consents consents,
            UserSessions sessions,
            Consumer<String> sessionEnded,
            Consumer<List<Authorization>> ended,
            Units units,
            InstantSource clock) {
        this.authorizations = authorizations;
        this.ends = ends;
        this.consents = consents;
        this.sessions = sessions;
        this.sessionEnded = sessionEnded;
        this.ended = ended;
        this.units = units;
        this.clock = clock;
    }

    /** Whether the client needs no consent to the request, or the user gave it before. */
    boolean hasConsent(Client client, SignInRequest request, SignedInUser user) {
        return !client.settings().consent() || consents.has(user.grant().userId(), client.id(), request.scopes());
    }

    /**
     * A code, if one was issued.
     *
     * @param ended the authorizations that ended because the user agreed to less
     * @param audited whether it gets an audit row
     */
    private record Issued(Optional<String> code, List<Authorization> ended, boolean audited) {
        private static final Issued NONE = new Issued(Optional.empty(), List.of(), false);
    }

    /**
     * Issues a code. Returns nothing if the user signed out or revoked the consent in the meantime. What the user agreed to
     * last is all that the client may have: sign-ins with other scopes end.
     *
     * @param agreedNow whether the user agreed to the request just now
     */
    Optional<String> issue(
            Client client, SignInRequest request, SignedInUser user, boolean agreedNow, String correlationId) {
        String userId = user.grant().userId();
        Issued issued = units.commit("authorize a client", new Unit<Issued>() {
            @Override
            public Issued write(Connection connection) throws SQLException {
                boolean needed = client.settings().consent();
                if (needed && !agreedNow && !Consents.holds(connection, userId, client.id(), request.scopes())) {
                    return Issued.NONE;
                }
                Optional<String> added = authorizations.add(connection, client, request, user);
                if (added.isEmpty()) {
                    return Issued.NONE;
                }
                if (!needed || !agreedNow) {
                    return new Issued(added, List.of(), !request.silent() || isFirstToday(connection, client, user));
                }
                // In this order: a sign-in at the same time holds the consent until its authorization is stored.
                Consents.add(connection, userId, client.id(), request.scopes(), clock.millis());
                List<Authorization> wider = ends.endWider(connection, userId, client.id(), request.scopes());
                return new Issued(added, wider, true);
            }

            @Override
            public @Nullable AuditEvent event(Issued result) {
                return result.audited()
                        ? AuditEvent.of(AuditAction.CLIENT_AUTHORIZE, userId, correlationId)
                                .withClient(client.id())
                        : null;
            }
        });
        // The user stays signed in to the client in this session, which a notice would end.
        ended.accept(issued.ended().stream()
                .filter(it -> !it.session().equals(user.session()))
                .toList());
        if (issued.code().isPresent() && !sessions.isOpen(user.session())) {
            sessionEnded.accept(user.session());
            return Optional.empty();
        }
        return issued.code();
    }

    /** A page that asks silently every few minutes must not fill the audit log. */
    private boolean isFirstToday(Connection connection, Client client, SignedInUser user) throws SQLException {
        Instant today = clock.instant().truncatedTo(ChronoUnit.DAYS);
        String mark = "silent sign-in " + client.id() + ' ' + user.session() + ' ' + today;
        return UsedTokens.use(connection, mark, today.plus(1, ChronoUnit.DAYS));
    }
}
