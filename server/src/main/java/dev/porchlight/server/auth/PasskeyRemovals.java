// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Removes passkeys, each with its sessions and its audit row as one unit. Thread-safe.
 *
 * <p>Where sessions are in Redis, they are removed afterwards. If that fails, they are invalid anyway: a session is valid
 * only while its passkey exists.
 */
public final class PasskeyRemovals {
    private final Units units;
    private final Sessions sessions;
    private final Consumer<String> accessEnded;

    /**
     * Creates removals.
     *
     * @param accessEnded is notified of users whose sessions and tokens have ended
     */
    public PasskeyRemovals(Units units, Sessions sessions, Consumer<String> accessEnded) {
        this.units = units;
        this.sessions = sessions;
        this.accessEnded = accessEnded;
    }

    /**
     * Removes a passkey of a user for an operator.
     *
     * @param allowLast whether to remove the user's last passkey
     * @param operator the label of the operator's credential
     */
    public Removal remove(
            String userId, String credentialId, boolean allowLast, String operator, String correlationId) {
        Removal removal = remove(userId, credentialId, allowLast, null, operator, correlationId)
                .orElseThrow();
        if (removal != Removal.LAST) {
            endSessions(userId, credentialId);
        }
        return removal;
    }

    /**
     * Removes a passkey of a user. Where sessions are in Redis, {@link #endSessions} follows.
     *
     * @param caller the caller's sign-in, which must still be valid
     * @return empty if the caller's sign-in is no longer valid
     */
    public Optional<Removal> remove(
            String userId, String credentialId, boolean allowLast, @Nullable Grant caller, String correlationId) {
        return remove(userId, credentialId, allowLast, caller, "", correlationId);
    }

    private Optional<Removal> remove(
            String userId,
            String credentialId,
            boolean allowLast,
            @Nullable Grant caller,
            String operator,
            String correlationId) {
        if (!PasskeyService.isCredentialId(credentialId)) {
            return Optional.of(Removal.NOT_FOUND);
        }
        return units.commit("remove a passkey", new Unit<>() {
            @Override
            public Optional<Removal> write(Connection connection) throws SQLException {
                if (caller != null && !Grants.isValid(connection, caller)) {
                    return Optional.empty();
                }
                Removal removed = SqlCredentialStore.remove(connection, userId, credentialId, allowLast);
                if (removed == Removal.REMOVED) {
                    PasskeySource.remove(connection, credentialId);
                    sessions.endOpenedWith(connection, userId, credentialId);
                }
                return Optional.of(removed);
            }

            @Override
            public @Nullable AuditEvent event(Optional<Removal> result) {
                return result.equals(Optional.of(Removal.REMOVED))
                        ? AuditEvent.byOperator(AuditAction.PASSKEY_REMOVED, userId, operator, correlationId)
                        : null;
            }
        });
    }

    /**
     * Ends the sessions of a removed passkey that are in Redis. They are invalid already, so a failure is ignored. Also called
     * when a removal is repeated, in case the first request failed before this.
     */
    public void endSessions(String userId, String credentialId) {
        sessions.endInRedis(userId, credentialId);
        accessEnded.accept(userId);
    }
}
