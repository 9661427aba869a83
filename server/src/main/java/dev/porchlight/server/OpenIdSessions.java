// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Sessions;
import dev.porchlight.server.openid.OpenIdPorts.UserSessions;

/** The sessions that OpenID Connect ends. Thread-safe. */
final class OpenIdSessions implements UserSessions {
    private final Sessions sessions;
    private final AuditLog audit;

    OpenIdSessions(Sessions sessions, AuditLog audit) {
        this.sessions = sessions;
        this.audit = audit;
    }

    @Override
    public boolean end(String userId, String session, String correlationId) {
        boolean ended = sessions.endByHandle(userId, session);
        if (ended) {
            audit.append(AuditEvent.of(AuditAction.LOGOUT, userId, correlationId));
        }
        return ended;
    }

    @Override
    public boolean isOpen(String session) {
        return sessions.isOpen(session);
    }
}
