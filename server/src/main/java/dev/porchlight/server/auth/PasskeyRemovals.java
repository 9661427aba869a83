// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialStore.Removal;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.Units;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Removes passkeys, each with its sessions and its audit row as one unit. Thread-safe. */
public final class PasskeyRemovals {
    private final Units units;
    private final Sessions sessions;
    private final Consumer<String> accessEnded;

    /** Notifies {@code accessEnded} of users whose sessions and tokens have ended. */
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
        return remove(userId, credentialId, allowLast, null, operator, correlationId)
                .orElseThrow();
    }

    /**
     * Removes a passkey of a user.
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
        Optional<Removal> removal = units.commit(
                "remove a passkey",
                connection -> {
                    if (caller != null && !caller.isValid(connection)) {
                        return Optional.empty();
                    }
                    Removal removed = SqlCredentialStore.remove(connection, userId, credentialId, allowLast);
                    if (removed == Removal.REMOVED) {
                        PasskeySource.remove(connection, credentialId);
                        sessions.endOpenedWith(connection, userId, credentialId);
                    }
                    return Optional.of(removed);
                },
                result -> result.equals(Optional.of(Removal.REMOVED))
                        ? AuditEvent.byOperator(AuditAction.PASSKEY_REMOVED, userId, operator, correlationId)
                        : null);
        // Also if the passkey is gone already, in case the first request failed before this.
        if (removal.isPresent() && removal.get() != Removal.LAST) {
            accessEnded.accept(userId);
        }
        return removal;
    }
}
