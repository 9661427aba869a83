// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import org.jspecify.annotations.Nullable;

/** The audit rows of one request's ceremony. Immutable. */
record CeremonyEvents(String correlationId) {
    /** The reason in the row of a registration that also signed the user in. */
    private static final String SIGNED_IN = "signed_in";

    AuditEvent of(Operation operation, String userId, Result result) {
        return switch (result) {
            case DONE -> done(operation, userId);
            case DONE_WITH_STALE_COUNT -> done(operation, userId).withReason(Step.SIGN_COUNT.code());
            case CHALLENGE_USED -> refused(operation, userId, Step.CHALLENGE_KNOWN);
            case STALE_COUNT -> refused(operation, userId, Step.SIGN_COUNT);
            case PASSKEY_GONE -> refused(operation, userId, Step.CREDENTIAL_KNOWN);
            case USER_LOCKED -> refused(operation, userId, Step.USER_UNLOCKED);
            case PASSKEY_EXISTS -> refused(operation, userId, Step.CREDENTIAL_NEW);
            case TOO_MANY_PASSKEYS -> refused(operation, userId, Step.CREDENTIAL_LIMIT);
        };
    }

    AuditEvent signedIn(Operation operation, String userId) {
        return done(operation, userId).withReason(SIGNED_IN);
    }

    AuditEvent refused(Operation operation, @Nullable String userId, Step step) {
        return AuditEvent.refused(AuditAction.of(operation), userId == null ? "" : userId, step.code(), correlationId);
    }

    private AuditEvent done(Operation operation, String userId) {
        return AuditEvent.of(AuditAction.of(operation), userId, correlationId);
    }
}
