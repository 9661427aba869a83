// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.Grant;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.AuthorizationEnds;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.logout.Logouts;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.storage.Consents;
import dev.porchlight.server.storage.ReportedEvents;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Issues authorization codes, and stores what users agreed to. Thread-safe. */
public final class CodeIssuer {
    /** How often the sign-ins of a session to a client have an audit row. */
    private static final Duration VISIBLE = Duration.ofMinutes(5);

    /** How many changes of a consent have an audit row each in that time. */
    private static final int CONSENTS = 5;

    /** The same if the user sees nothing of them. */
    private static final Duration SILENT = Duration.ofDays(1);

    private final Authorizations authorizations;
    private final AuthorizationEnds ends;
    private final Consents consents;
    private final Sql sql;
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
        this.sql = sql;
        this.logouts = logouts;
        this.units = units;
        this.clock = clock;
    }

    /** Whether the client needs no consent to the request, or the user gave it before. */
    boolean hasConsent(Client client, SignInRequest request, Session session) {
        return !client.settings().consent()
                || consents.has(session.userId(), client.id(), request.code().scopes());
    }

    /** Whether the client got a code from this session within the last minutes. */
    boolean isRecent(Client client, Session session) {
        return ReportedEvents.isReported(
                sql, signIn(client, session), clock.instant().minus(VISIBLE));
    }

    /** Counts a change of a consent, within a transaction of the caller. See {@link ReportedEvents#count}. */
    static OptionalLong countConsent(Connection connection, String change, Instant now) throws SQLException {
        return ReportedEvents.count(connection, change, now, now.minus(VISIBLE), CONSENTS);
    }

    /** Names the sign-ins of a session to a client. */
    private static String signIn(Client client, Session session) {
        return "sign-in " + client.id() + ' ' + session.handle();
    }

    /**
     * A code, if one was issued.
     *
     * @param ended the authorizations that ended because the user agreed to less
     * @param unaudited the number of earlier ones without an audit row; empty if this one gets none either
     */
    private record Result(Optional<String> code, List<Authorization> ended, OptionalLong unaudited) {
        private static final Result NONE = new Result(Optional.empty(), List.of(), OptionalLong.empty());
    }

    /**
     * Issues a code. Returns nothing if the user signed out, left the client's groups or revoked the consent in the meantime.
     * What the user agreed to last is all that the client may have: sign-ins with other scopes end.
     *
     * @param agreedNow whether the user agreed to the request just now
     */
    Optional<String> issue(
            Client client, SignInRequest request, Session session, boolean agreedNow, String correlationId) {
        String userId = session.userId();
        Result issued = units.commit(
                "authorize a client",
                connection -> {
                    // The user's row is locked before the consent, as by an erasure.
                    Grant valid = session.locked(connection);
                    boolean needed = client.settings().consent();
                    List<String> scopes = request.code().scopes();
                    boolean agreed = !needed || Consents.holds(connection, userId, client.id(), scopes);
                    Optional<String> added = valid != null
                                    && Groups.refusal(connection, client, userId, Reason.NOT_IN_GROUP) == null
                                    && (agreed || agreedNow)
                                    && SealedRequests.use(connection, request)
                            ? Optional.of(authorizations.add(connection, client, request.code(), session, valid))
                            : Optional.empty();
                    if (added.isEmpty()) {
                        return Result.NONE;
                    }
                    // A signed-in user in a loop must not fill the audit log, nor a page that asks silently every few
                    // minutes. A new consent has a row each time, as long as there are few.
                    Instant now = clock.instant();
                    String signIn = (request.silent() ? "silent " : "") + signIn(client, session);
                    OptionalLong few = agreed ? OptionalLong.empty() : countConsent(connection, "new " + signIn, now);
                    Instant older = few.isPresent() ? now.plus(SILENT) : now.minus(request.silent() ? SILENT : VISIBLE);
                    OptionalLong unaudited = ReportedEvents.count(connection, signIn, now, older, 1);
                    if (!needed || !agreedNow) {
                        return new Result(added, List.of(), unaudited);
                    }
                    // In this order: a sign-in at the same time holds the consent until its authorization is stored.
                    Consents.add(connection, userId, client.id(), scopes, clock.millis());
                    return new Result(added, ends.endWider(connection, userId, client.id(), scopes), unaudited);
                },
                result -> result.unaudited().isPresent()
                        ? AuditEvent.of(AuditAction.CLIENT_AUTHORIZE, userId, correlationId)
                                .withClient(client.id())
                                .withFurther(result.unaudited().getAsLong())
                        : null);
        // The user stays signed in to the client in this session, which a notice would end.
        logouts.report(issued.ended().stream()
                .filter(it -> !it.session().equals(session.handle()))
                .toList());
        return issued.code();
    }
}
