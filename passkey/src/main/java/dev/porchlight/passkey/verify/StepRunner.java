// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one ceremony: reports and times each step, and ends the ceremony at the first refusal. Confined to one
 * thread.
 */
final class StepRunner {
    /** The steps of a ceremony. Returns normally if no step refuses. */
    @FunctionalInterface
    interface Ceremony<T> {
        T run(StepRunner steps) throws RefusedException;
    }

    @FunctionalInterface
    interface Reading<T> {
        T read() throws MalformedException;
    }

    /** Ends a ceremony. Not visible outside of this package. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient StepResult refusal;

        private RefusedException(StepResult refusal) {
            super(null, null, false, false);
            this.refusal = refusal;
        }
    }

    private final StepObserver observer;
    private final LongSupplier nanoTime;
    private long mark;
    private @Nullable StepResult refusal;

    private StepRunner(StepObserver observer, LongSupplier nanoTime) {
        this.observer = observer;
        this.nanoTime = nanoTime;
        this.mark = nanoTime.getAsLong();
    }

    /** Runs a ceremony. Accepts only if no step refused, even if the ceremony continued after a refusal. */
    static <T> Verdict<T> run(StepObserver observer, LongSupplier nanoTime, Ceremony<T> ceremony) {
        var steps = new StepRunner(observer, nanoTime);
        try {
            T value = ceremony.run(steps);
            return steps.refusal == null ? new Verdict.Accepted<>(value) : new Verdict.Refused<>(steps.refusal);
        } catch (RefusedException e) {
            return new Verdict.Refused<>(e.refusal);
        }
    }

    /** Passes the step if the condition holds. The texts are computed only if they are reported. */
    void check(Step step, boolean passes, Supplier<String> expected, Supplier<String> found) throws RefusedException {
        boolean explains = observer.explains();
        if (!passes) {
            var refused = refuse(step, expected.get(), found.get());
            if (!explains) {
                throw refused;
            }
        } else if (explains) {
            report(step, true, expected.get(), found.get());
        } else {
            report(step, true, "", "");
        }
    }

    /** Refuses a step without which the ceremony cannot continue. */
    RefusedException refuse(Step step, String expected, String found) {
        StepResult result = report(step, false, expected, found);
        refusal = refusal == null ? result : refusal;
        return new RefusedException(refusal);
    }

    /** Passes the step if the value is present. Without it the ceremony cannot continue. */
    <T> T present(Step step, @Nullable T value, Supplier<String> expected, Supplier<String> found)
            throws RefusedException {
        if (value == null) {
            throw refuse(step, expected.get(), found.get());
        }
        check(step, true, expected, found);
        return value;
    }

    /** Parses a value. Refuses the step if that fails. The text describes a readable value. */
    <T> T read(Step step, String readable, Reading<T> reading) throws RefusedException {
        T value = readPart(step, reading);
        check(step, true, () -> readable, () -> readable);
        return value;
    }

    /** Parses a part of a step. Refuses the step if that fails. */
    <T> T readPart(Step step, Reading<T> reading) throws RefusedException {
        try {
            return reading.read();
        } catch (MalformedException e) {
            throw refuse(step, "", String.valueOf(e.getMessage()));
        }
    }

    /** Fetches a value. The time does not count for any step. */
    <T extends @Nullable Object> T fetch(Supplier<T> source) {
        T value = source.get();
        mark = nanoTime.getAsLong();
        return value;
    }

    /** Verifies a signature and reports the time, which exceeds that of all other steps. */
    boolean verify(CredentialAlgorithm algorithm, BooleanSupplier signature) {
        long start = nanoTime.getAsLong();
        boolean valid = signature.getAsBoolean();
        observer.signatureVerified(algorithm, nanoTime.getAsLong() - start);
        return valid;
    }

    private StepResult report(Step step, boolean passed, String expected, String found) {
        long now = nanoTime.getAsLong();
        var result = new StepResult(step, passed, expected, found, now - mark);
        mark = now;
        observer.checked(result);
        return result;
    }
}
