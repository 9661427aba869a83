// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUser;
import dev.porchlight.server.openid.OpenIdPorts.UserSessions;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Issues authorization codes, and stores what users agreed to. Thread-safe. */
final class CodeIssuer {
    private final Authorizations authorizations;
    private final Consents consents;
    private final UserSessions sessions;
    private final Consumer<String> ended;
    private final Units units;
    private final InstantSource clock;

    /**
     * An issuer of codes.
     *
     * @param ended ends what clients got from the session with a handle
     */
    CodeIssuer(
            Authorizations authorizations,
            Consents consents,
            UserSessions sessions,
            Consumer<String> ended,
            Units units,
            InstantSource clock) {
        this.authorizations = authorizations;
        this.consents = consents;
        this.sessions = sessions;
        this.ended = ended;
        this.units = units;
        this.clock = clock;
    }

    /** Whether the client needs no consent to the request, or the user gave it before. */
    boolean hasConsent(Client client, SignInRequest request, SignedInUser user) {
        return !client.settings().consent() || consents.has(user.grant().userId(), client.id(), request.scopes());
    }

    /**
     * Issues a code. Returns nothing if the user signed out or revoked the consent in the meantime.
     *
     * @param agreedNow whether the user agreed to the request just now
     */
    Optional<String> issue(
            Client client, SignInRequest request, SignedInUser user, boolean agreedNow, String correlationId) {
        String userId = user.grant().userId();
        Optional<String> code = units.commit("authorize a client", new Unit<Optional<String>>() {
            @Override
            public Optional<String> write(Connection connection) throws SQLException {
                boolean needed = client.settings().consent();
                if (needed && !agreedNow && !Consents.holds(connection, userId, client.id(), request.scopes())) {
                    return Optional.empty();
                }
                Optional<String> added = authorizations.add(connection, request, user);
                if (needed && agreedNow && added.isPresent()) {
                    Consents.add(connection, userId, client.id(), request.scopes(), clock.millis());
                }
                return added;
            }

            @Override
            public @Nullable AuditEvent event(Optional<String> added) {
                return added.isEmpty()
                        ? null
                        : new AuditEvent(AuditEvent.CLIENT_SIGN_IN, userId, "ok", client.id(), correlationId);
            }
        });
        if (code.isPresent() && !sessions.isOpen(user.session())) {
            ended.accept(user.session());
            return Optional.empty();
        }
        return code;
    }
}
