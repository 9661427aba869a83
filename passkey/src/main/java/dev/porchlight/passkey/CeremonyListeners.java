// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UnreadableRow;
import java.util.List;

/** Calls listeners in order. Thread-safe if they are. */
record CeremonyListeners(List<CeremonyListener> all) implements CeremonyListener {
    @Override
    public void started(Operation operation) {
        all.forEach(listener -> listener.started(operation));
    }

    @Override
    public void checked(Operation operation, StepResult step) {
        all.forEach(listener -> listener.checked(operation, step));
    }

    @Override
    public void spent(Operation operation, OperationPhase phase, long nanos) {
        all.forEach(listener -> listener.spent(operation, phase, nanos));
    }

    @Override
    public void registered(CredentialRecord credential) {
        all.forEach(listener -> listener.registered(credential));
    }

    @Override
    public void authenticated(VerifiedAssertion assertion) {
        all.forEach(listener -> listener.authenticated(assertion));
    }

    @Override
    public void signCountRegressed(VerifiedAssertion assertion) {
        all.forEach(listener -> listener.signCountRegressed(assertion));
    }

    @Override
    public void becameBackupEligible(VerifiedAssertion assertion) {
        all.forEach(listener -> listener.becameBackupEligible(assertion));
    }

    @Override
    public void unreadable(UnreadableRow row) {
        all.forEach(listener -> listener.unreadable(row));
    }

    @Override
    public void finished(Operation operation, Outcome outcome, long nanos) {
        all.forEach(listener -> listener.finished(operation, outcome, nanos));
    }
}
