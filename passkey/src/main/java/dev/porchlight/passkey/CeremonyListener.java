// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UnreadableRow;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of a {@link PasskeyService}, for metrics, spans, log lines and audit rows.
 *
 * <p>A listener of the {@linkplain PasskeyServiceBuilder#listener builder} is shared by all operations and must be thread-safe.
 * Pass a listener that needs the context of one request to {@link PasskeyService#with}. Every method is called on
 * the caller's thread, between {@link #started} and {@link #finished}. User ids and credential ids are passed unchanged.
 *
 * <p>An exception from a listener ends the operation and is thrown to the caller, so a listener that cannot write its audit
 * row can refuse a login. Exceptions from {@link #registered} and {@link #finished} cannot undo what is stored and go to the
 * thread's uncaught exception handler instead: a registration returns success exactly if the passkey is stored. The same
 * holds for {@link #unreadable}, since the other passkeys work.
 */
public interface CeremonyListener {
    /**
     * The end of an operation: success, a refusal, or a failure.
     *
     * @param userId the user, if known: the requested user, or the one who signed in
     * @param credentialId the presented passkey, if known
     * @param refusal the step that refused, or null
     * @param failure the exception that ended the operation, or null
     */
    record Outcome(
            @Nullable String userId,
            @Nullable String credentialId,
            @Nullable StepResult refusal,
            @Nullable Throwable failure) {
        /** Returns whether it was neither refused nor failed. */
        public boolean succeeded() {
            return refusal == null && failure == null;
        }

        /** {@code ok}, {@code refused} or {@code failed}. */
        public String code() {
            return refusal != null ? "refused" : failure != null ? "failed" : "ok";
        }

        /** The code of the step that refused, or empty. */
        public String reason() {
            return refusal == null ? "" : refusal.step().code();
        }
    }

    /** An operation starts. */
    default void started(Operation operation) {}

    /** A step was checked. A refusal ends the operation. */
    default void checked(Operation operation, StepResult step) {}

    /** A phase other than checking steps took this long. */
    default void spent(Operation operation, OperationPhase phase, long nanos) {}

    /**
     * The signature of an assertion was verified, valid or not, with the key of the passkey or, if it is unknown, of a decoy.
     * The time is also reported as {@link OperationPhase#SIGNATURE}.
     */
    default void signatureVerified(Operation operation, CredentialAlgorithm algorithm, long nanos) {}

    /** A passkey was registered and stored. An exception changes nothing. */
    default void registered(CredentialRecord credential) {}

    /** A user signed in, unless this throws. The sign count is recorded in either case. */
    default void authenticated(VerifiedAssertion assertion) {}

    /** A user signed in with a sign count that did not grow, which the policy only flags. */
    default void signCountRegressed(VerifiedAssertion assertion) {}

    /** A user signed in with a passkey that was device-bound and is now eligible for sync. */
    default void becameBackupEligible(VerifiedAssertion assertion) {}

    /** A user signed in with a passkey of an authenticator that is denied or compromised, which the policy only flags. */
    default void authenticatorSuspected(VerifiedAssertion assertion, String reason) {}

    /**
     * A user signed in with a passkey that was synced since its last use, or is no longer: {@link VerifiedAssertion#backedUp}.
     * A user whose only passkey is not synced should get a second one.
     */
    default void backupStateChanged(VerifiedAssertion assertion) {}

    /**
     * A stored passkey was skipped because its row holds impossible values. Also called outside of operations, as when
     * passkeys are listed, and again each time the row is read. An exception changes nothing.
     */
    default void unreadable(UnreadableRow row) {}

    /** An operation ended, after this time in total. An exception changes nothing. */
    default void finished(Operation operation, Outcome outcome, long nanos) {}
}
