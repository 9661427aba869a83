// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.Act;
import dev.porchlight.passkey.CeremonyListener;
import dev.porchlight.passkey.Phase;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UnreadableRow;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import java.util.List;

/** All listeners that are beans, told one after the other in their order. Thread-safe if they are. */
record CeremonyListeners(List<CeremonyListener> all) implements CeremonyListener {
    @Override
    public void begun(Act act) {
        all.forEach(listener -> listener.begun(act));
    }

    @Override
    public void passed(Act act, Step step, long nanos) {
        all.forEach(listener -> listener.passed(act, step, nanos));
    }

    @Override
    public void refused(Act act, Step step, String detail, long nanos) {
        all.forEach(listener -> listener.refused(act, step, detail, nanos));
    }

    @Override
    public void spent(Act act, Phase phase, long nanos) {
        all.forEach(listener -> listener.spent(act, phase, nanos));
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
    public void finished(Act act, Outcome outcome, long nanos) {
        all.forEach(listener -> listener.finished(act, outcome, nanos));
    }
}
