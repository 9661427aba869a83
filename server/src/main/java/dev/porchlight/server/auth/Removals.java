// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.StorageException;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Removes passkeys, each with its sessions and its audit row as one unit. Thread-safe.
 *
 * <p>Where sessions are in Redis, they are removed after the passkey. If that fails nobody is let in all the same: a session
 * is good only while its passkey is there.
 */
public final class Removals {
    private final Units units;
    private final Sessions sessions;
    private final boolean sessionsInDatabase;

    public Removals(Units units, Sessions sessions, boolean sessionsInDatabase) {
        this.units = units;
        this.sessions = sessions;
        this.sessionsInDatabase = sessionsInDatabase;
    }

    /**
     * Removes a passkey of a user, the last one only if told so.
     *
     * @param correlationId what the audit row is found by; null for no audit row
     */
    public Removal remove(String userId, String credentialId, boolean evenTheLast, @Nullable String correlationId) {
        if (!PasskeyService.isCredentialId(credentialId)) {
            return Removal.NOT_FOUND;
        }
        Removal removal = units.commit("remove a passkey", new Unit<>() {
            @Override
            public Removal write(Connection connection) throws SQLException {
                Removal removed = SqlCredentialStore.remove(connection, userId, credentialId, evenTheLast);
                if (removed == Removal.REMOVED && sessionsInDatabase) {
                    sessions.endOpenedWith(connection, userId, credentialId);
                }
                return removed;
            }

            @Override
            public @Nullable AuditEvent event(Removal result) {
                return result == Removal.REMOVED && correlationId != null
                        ? AuditEvent.of("passkey_removed", userId, correlationId)
                        : null;
            }
        });
        if (removal == Removal.REMOVED && !sessionsInDatabase) {
            try {
                sessions.endOpenedWith(userId, credentialId);
            } catch (StorageException e) {
                // they are no good without their passkey, and expire
            }
        }
        return removal;
    }
}
