// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UnreadableRow;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import org.jspecify.annotations.Nullable;

/**
 * Hears what a {@link PasskeyService} does: the one way out of it for metrics, spans, log lines and audit rows.
 *
 * <p>Every method is called on the thread that called the service, between {@link #begun} and {@link #finished}, so what
 * is bound to the thread (a span, a request) is that of the caller. Implementations are called from many threads at
 * once. Texts named {@code detail} are short and printable; user ids and credential ids are as they are.
 *
 * <p>An exception from a listener ends the act, and goes to the caller: one that must write an audit row and cannot may
 * thereby refuse a login. It cannot undo what is done, so an exception from {@link #registered} or {@link #finished} goes
 * to the thread's uncaught exception handler instead, and the caller gets the answer: a registration is answered with
 * success exactly if the passkey is stored. So does an exception from {@link #unreadable}, since the other passkeys work.
 */
public interface CeremonyListener {
    /** Hears nothing. */
    CeremonyListener NONE = new CeremonyListener() {};

    /**
     * How an act ended: well, refused at a step, or not at all because something failed.
     *
     * @param userId who, as far as it is known: the one named, or the one who signed in
     * @param credentialId which passkey, as far as it is known: the one presented
     * @param refused the step that refused
     * @param failure what was thrown
     */
    record Outcome(
            @Nullable String userId,
            @Nullable String credentialId,
            @Nullable Step refused,
            @Nullable Throwable failure) {
        /** Whether it was neither refused nor failed. */
        public boolean good() {
            return refused == null && failure == null;
        }
    }

    /** An act begins. */
    default void begun(Act act) {}

    /** A step passed; the time is what it took. */
    default void passed(Act act, Step step, long nanos) {}

    /** A step refused; the time is what it took. The act ends here. */
    default void refused(Act act, Step step, String detail, long nanos) {}

    /** Something outside the plain judging was done; the time is what it took. */
    default void spent(Act act, Phase phase, long nanos) {}

    /** A passkey was registered: it is stored, and an exception changes nothing. */
    default void registered(CredentialRecord credential) {}

    /** A user signed in, unless this throws; his sign count is recorded in either case. */
    default void authenticated(VerifiedAssertion assertion) {}

    /** A user signed in with a count that did not grow, which the policy flags and does not refuse. */
    default void signCountRegressed(VerifiedAssertion assertion) {}

    /** A user signed in with a passkey that was bound to its authenticator and now may be synchronised. */
    default void becameBackupEligible(VerifiedAssertion assertion) {}

    /**
     * A stored passkey was skipped because its row holds impossible values. Called also outside of acts, as when passkeys
     * are listed, and again each time the row is met. An exception changes nothing.
     */
    default void unreadable(UnreadableRow row) {}

    /** An act ended; the time is that of the whole act. An exception changes nothing. */
    default void finished(Act act, Outcome outcome, long nanos) {}
}
