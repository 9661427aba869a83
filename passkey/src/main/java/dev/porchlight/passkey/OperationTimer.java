// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.verify.StepObserver;
import dev.porchlight.passkey.verify.Verdict;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Times one operation and notifies the listeners, in their order. Confined to one thread. */
final class OperationTimer implements StepObserver {
    @FunctionalInterface
    interface Reading<T> {
        T read() throws MalformedException;
    }

    private final Operation operation;
    private final List<CeremonyListener> listeners;
    private final LongSupplier nanoTime;
    private final long startedAt;
    private long mark;
    private @Nullable String userId;
    private @Nullable String credentialId;
    private @Nullable StepResult refusal;
    private boolean challengeTaken;
    private boolean challengeFound;
    private @Nullable UsedChallenge toUse;

    private OperationTimer(
            Operation operation, @Nullable String userId, List<CeremonyListener> listeners, LongSupplier nanoTime) {
        this.operation = operation;
        this.userId = userId;
        this.listeners = listeners;
        this.nanoTime = nanoTime;
        this.startedAt = nanoTime.getAsLong();
        this.mark = startedAt;
    }

    /** Runs an operation and reports its start and its end, including failures. */
    static <T> T time(
            Operation operation,
            @Nullable String userId,
            List<CeremonyListener> listeners,
            LongSupplier nanoTime,
            Function<OperationTimer, T> work) {
        listeners.forEach(listener -> listener.started(operation));
        var timer = new OperationTimer(operation, userId, listeners, nanoTime);
        T result;
        try {
            result = work.apply(timer);
        } catch (RuntimeException | Error e) {
            timer.finished(e);
            throw e;
        }
        timer.finished(null);
        return result;
    }

    <T extends @Nullable Object> T timed(OperationPhase phase, Supplier<T> work) {
        return timed(phase, work, this::notifyListeners);
    }

    /** Times a write that cannot be undone: an exception from the listener changes nothing. */
    <T> T timedWrite(OperationPhase phase, Supplier<T> work) {
        return timed(phase, work, this::notifySafely);
    }

    private <T extends @Nullable Object> T timed(
            OperationPhase phase, Supplier<T> work, Consumer<Consumer<CeremonyListener>> notifier) {
        long start = nanoTime.getAsLong();
        T result = work.get();
        mark = nanoTime.getAsLong();
        long spent = mark - start;
        notifier.accept(listener -> listener.spent(operation, phase, spent));
        return result;
    }

    /** The step passes if the text can be parsed. */
    <T> Verdict<T> parse(Step step, Reading<T> reading) {
        try {
            T value = reading.read();
            checked(new StepResult(step, true, "", "", nanoTime.getAsLong() - mark));
            return new Verdict.Accepted<>(value);
        } catch (MalformedException e) {
            return Verdict.refused(step, String.valueOf(e.getMessage()));
        }
    }

    /** Refusals are reported later, when they are final: the commit may find that the challenge was used before. */
    @Override
    public void checked(StepResult step) {
        mark = nanoTime.getAsLong();
        if (step.passed()) {
            challengeFound |= step.step() == Step.CHALLENGE_KNOWN;
            notifyListeners(listener -> listener.checked(operation, step));
        }
    }

    @Override
    public void signatureVerified(CredentialAlgorithm algorithm, long nanos) {
        notifyListeners(listener -> {
            listener.spent(operation, OperationPhase.SIGNATURE, nanos);
            listener.signatureVerified(operation, algorithm, nanos);
        });
    }

    void refused(StepResult step) {
        refusal = step;
        notifyListeners(listener -> listener.checked(operation, step));
    }

    /** Records that the response has a challenge of this service. The commit marks it as used, unless it is null. */
    void challengeTaken(@Nullable UsedChallenge challenge) {
        challengeTaken = true;
        toUse = challenge;
    }

    @Nullable
    UsedChallenge toUse() {
        return toUse;
    }

    /**
     * Marks the challenge as used. If it was used before, that becomes the cause of the refusal, unless an earlier step refused.
     * Writes nothing if the challenge was not issued by this service.
     */
    <T> Verdict<T> commitRefusal(CeremonyCommit commit, Verdict.Refused<T> verdict) {
        if (!challengeTaken) {
            return verdict;
        }
        var unit =
                new CeremonyCommit.Refusal(operation, userId, verdict.result().step(), toUse);
        Result result = timed(OperationPhase.DATABASE, () -> commit.commit(unit));
        return result == Result.DONE || !challengeFound ? verdict : Challenges.refused(result);
    }

    void registered(CredentialRecord credential) {
        notifySafely(listener -> listener.registered(credential));
    }

    void authenticated(VerifiedAssertion assertion, boolean signCountRegressed) {
        userId = assertion.userId();
        notifyListeners(listener -> listener.authenticated(assertion));
        if (signCountRegressed) {
            notifyListeners(listener -> listener.signCountRegressed(assertion));
        }
        assertion.suspicion().ifPresent(reason -> notifyListeners(it -> it.authenticatorSuspected(assertion, reason)));
        if (assertion.becameBackupEligible()) {
            notifyListeners(listener -> listener.becameBackupEligible(assertion));
        }
        if (assertion.backupStateChanged()) {
            notifyListeners(listener -> listener.backupStateChanged(assertion));
        }
    }

    void credential(String presented) {
        credentialId = presented;
    }

    private void finished(@Nullable Throwable failure) {
        var outcome = new CeremonyListener.Outcome(userId, credentialId, refusal, failure);
        long nanos = nanoTime.getAsLong() - startedAt;
        notifySafely(listener -> listener.finished(operation, outcome, nanos));
    }

    private void notifyListeners(Consumer<CeremonyListener> notification) {
        listeners.forEach(notification);
    }

    /** Reports an event that cannot be undone. An exception from a listener goes to the thread's uncaught exception handler. */
    private void notifySafely(Consumer<CeremonyListener> notification) {
        try {
            notifyListeners(notification);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
