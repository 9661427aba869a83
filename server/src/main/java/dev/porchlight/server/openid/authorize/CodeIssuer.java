// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.AuthorizationEnds;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.logout.Logouts;
import dev.porchlight.server.openid.protocol.UsedTokens;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Issues authorization codes, and stores what users agreed to. Thread-safe. */
public final class CodeIssuer {
    private final Authorizations authorizations;
    private final AuthorizationEnds ends;
    private final Consents consents;
    private final Logouts logouts;
    private final Units units;
    private final InstantSource clock;

    public CodeIssuer(
            Authorizations authorizations,
            AuthorizationEnds ends,
            Sql sql,
            Logouts logouts,
            Units units,
            InstantSource clock) {
        this.authorizations = authorizations;
        this.ends = ends;
        this.consents = new Consents(sql);
        this.logouts = logouts;
        this.units = units;
        this.clock = clock;
    }

    /** Whether the client needs no consent to the request, or the user gave it before. */
    boolean hasConsent(Client client, SignInRequest request, Session session) {
        return !client.settings().consent()
                || consents.has(session.userId(), client.id(), request.code().scopes());
    }

    /**
     * A code, if one was issued.
     *
     * @param ended the authorizations that ended because the user agreed to less
     * @param audited whether it gets an audit row
     */
    private record Result(Optional<String> code, List<Authorization> ended, boolean audited) {
        private static final Result NONE = new Result(Optional.empty(), List.of(), false);
    }

    /**
     * Issues a code. Returns nothing if the user signed out or revoked the consent in the meantime. What the user agreed to
     * last is all that the client may have: sign-ins with other scopes end.
     *
     * @param agreedNow whether the user agreed to the request just now
     */
    Optional<String> issue(
            Client client, SignInRequest request, Session session, boolean agreedNow, String correlationId) {
        String userId = session.userId();
        Result issued = units.commit(
                "authorize a client",
                connection -> {
                    boolean needed = client.settings().consent();
                    List<String> scopes = request.code().scopes();
                    if (needed && !agreedNow && !Consents.holds(connection, userId, client.id(), scopes)) {
                        return Result.NONE;
                    }
                    Optional<String> added = authorizations.add(connection, client, request.code(), session);
                    if (added.isEmpty()) {
                        return Result.NONE;
                    }
                    if (!needed || !agreedNow) {
                        boolean audited = !request.silent() || isFirstToday(connection, client, session);
                        return new Result(added, List.of(), audited);
                    }
                    // In this order: a sign-in at the same time holds the consent until its authorization is stored.
                    Consents.add(connection, userId, client.id(), scopes, clock.millis());
                    return new Result(added, ends.endWider(connection, userId, client.id(), scopes), true);
                },
                result -> result.audited()
                        ? AuditEvent.of(AuditAction.CLIENT_AUTHORIZE, userId, correlationId)
                                .withClient(client.id())
                        : null);
        // The user stays signed in to the client in this session, which a notice would end.
        logouts.report(issued.ended().stream()
                .filter(it -> !it.session().equals(session.handle()))
                .toList());
        return issued.code().filter(code -> logouts.isOpen(session.handle()));
    }

    /** A page that asks silently every few minutes must not fill the audit log. */
    private boolean isFirstToday(Connection connection, Client client, Session session) throws SQLException {
        Instant today = clock.instant().truncatedTo(ChronoUnit.DAYS);
        String mark = "silent sign-in " + client.id() + ' ' + session.handle() + ' ' + today;
        return UsedTokens.use(connection, mark, today.plus(1, ChronoUnit.DAYS));
    }
}
