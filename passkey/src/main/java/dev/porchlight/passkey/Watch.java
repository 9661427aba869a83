// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.StepObserver;
import dev.porchlight.passkey.verify.Verdict;
import dev.porchlight.passkey.verify.VerifiedAssertion;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Goes with one act, takes its times and tells the listener. For the thread of that act alone. */
final class Watch implements StepObserver {
    /** Something that is read from what was received. */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws MalformedException;
    }

    private final Act act;
    private final CeremonyListener listener;
    private final LongSupplier nanoTime;
    private final long begun;
    private long mark;
    private @Nullable String userId;
    private @Nullable String credentialId;
    private @Nullable Step refused;
    private boolean answered;
    private boolean challengeFound;
    private @Nullable UsedChallenge toUse;

    private Watch(Act act, @Nullable String userId, CeremonyListener listener, LongSupplier nanoTime) {
        this.act = act;
        this.userId = userId;
        this.listener = listener;
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
        this.mark = begun;
    }

    /** Does an act and tells of its beginning and its end, whatever the end is. */
    static <T> T over(
            Act act,
            @Nullable String userId,
            CeremonyListener listener,
            LongSupplier nanoTime,
            Function<Watch, T> work) {
        listener.begun(act);
        var watch = new Watch(act, userId, listener, nanoTime);
        T result;
        try {
            result = work.apply(watch);
        } catch (RuntimeException | Error e) {
            watch.finished(e);
            throw e;
        }
        watch.finished(null);
        return result;
    }

    <T extends @Nullable Object> T spending(Phase phase, Supplier<T> work) {
        long start = nanoTime.getAsLong();
        T result = work.get();
        mark = nanoTime.getAsLong();
        listener.spent(act, phase, mark - start);
        return result;
    }

    /** The same for what cannot be taken back: that it was done is not forgotten because the listener fails. */
    <T> T storing(Phase phase, Supplier<T> work) {
        long start = nanoTime.getAsLong();
        T result = work.get();
        mark = nanoTime.getAsLong();
        long spent = mark - start;
        telling(() -> listener.spent(act, phase, spent));
        return result;
    }

    /** The step passes if it can be read. */
    <T> Verdict<T> reading(Step step, Reading<T> reading) {
        try {
            T value = reading.read();
            passed(step, nanoTime.getAsLong() - mark);
            return new Verdict.Accepted<>(value);
        } catch (MalformedException e) {
            return new Verdict.Refused<>(step, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void passed(Step step, long nanos) {
        mark = nanoTime.getAsLong();
        challengeFound |= step == Step.CHALLENGE_NOT_FOUND;
        listener.passed(act, step, nanos);
    }

    @Override
    public void signatureVerified(long nanos) {
        listener.spent(act, Phase.SIGNATURE, nanos);
    }

    void refused(Step step, String detail) {
        refused = step;
        listener.refused(act, step, detail, nanoTime.getAsLong() - mark);
    }

    /** The response answers a challenge of this service. If it is not null, the commit marks it as used. */
    void answered(@Nullable UsedChallenge challenge) {
        answered = true;
        toUse = challenge;
    }

    @Nullable
    UsedChallenge toUse() {
        return toUse;
    }

    /**
     * Marks the challenge as used. If it was used before, that is the cause of the refusal, unless a step before the
     * challenge's refused. Nothing is written for a response to no challenge of this service.
     */
    <T> Verdict<T> commitRefusal(CeremonyCommit commit, Verdict.Refused<T> verdict) {
        if (!answered) {
            return verdict;
        }
        var unit = new CeremonyCommit.Refusal(act, userId, verdict.step(), toUse);
        Result result = spending(Phase.DATABASE, () -> commit.commit(unit));
        return result == Result.DONE || !challengeFound ? verdict : Challenges.refused(result);
    }

    void registered(CredentialRecord credential) {
        telling(() -> listener.registered(credential));
    }

    void authenticated(VerifiedAssertion assertion, boolean signCountRegressed) {
        userId = assertion.userId();
        listener.authenticated(assertion);
        if (signCountRegressed) {
            listener.signCountRegressed(assertion);
        }
        if (assertion.becameBackupEligible()) {
            listener.becameBackupEligible(assertion);
        }
    }

    void credential(String presented) {
        credentialId = presented;
    }

    private void finished(@Nullable Throwable failure) {
        var outcome = new CeremonyListener.Outcome(userId, credentialId, refused, failure);
        telling(() -> listener.finished(act, outcome, nanoTime.getAsLong() - begun));
    }

    /** Tells of what is done. A listener that fails now changes nothing, and whoever looks after this thread hears of it. */
    private static void telling(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
