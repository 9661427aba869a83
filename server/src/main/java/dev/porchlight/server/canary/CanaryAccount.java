// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.Removals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The canary's user, whom all instances share: one row for ever, and the passkeys of rounds under way. Each round removes its own;
 * those whose round never came to its end are removed by whoever comes next. Thread-safe.
 */
public final class CanaryAccount {
    /** Longer than any round can take, so that no instance removes the passkey of another's. */
    private static final Duration STALE = Duration.ofMinutes(5);

    private final PasskeyService passkeys;
    private final Enrolments enrolments;
    private final Removals removals;
    private final AuditLog audit;
    private final InstantSource clock;

    public CanaryAccount(
            PasskeyService passkeys, Enrolments enrolments, Removals removals, AuditLog audit, InstantSource clock) {
        this.passkeys = passkeys;
        this.enrolments = enrolments;
        this.removals = removals;
        this.audit = audit;
        this.clock = clock;
    }

    /** Lets the canary in to register a passkey, after the leavings of others are gone: the number a user may have is limited. */
    String enrol() {
        Instant stale = clock.instant().minus(STALE);
        for (CredentialRecord passkey : passkeys.passkeys(CanaryUser.ID)) {
            Instant createdAt = passkey.createdAt();
            if (createdAt == null || createdAt.isBefore(stale)) {
                remove(passkey.credentialId());
            }
        }
        return enrolments.forCanary().token();
    }

    /** Removes a passkey, if it is there, and ends the sessions it opened. */
    void remove(String credentialId) {
        var unused = removals.remove(CanaryUser.ID, credentialId, true, null);
    }

    /** The one thing of the canary's that is worth an audit row: a lie was believed. */
    void believed(String lie, String correlationId) {
        audit.append(new AuditEvent("canary", CanaryUser.ID, "accepted", lie, correlationId));
    }
}
