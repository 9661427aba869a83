// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one ceremony: reports and times each, and ends the ceremony at the first that refuses. Confined to one
 * thread.
 */
final class StepRunner {
    /** The steps of a ceremony; it returns if none refuses. */
    @FunctionalInterface
    interface Ceremony<T> {
        T run(StepRunner steps) throws RefusedException;
    }

    /** A parser of received bytes. */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws MalformedException;
    }

    /** Ends a ceremony. Never leaves this package, and lets ceremonies read as a list of steps. */
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

    /** Accepts only if no step has refused, also where the ceremony went on after a refusal. */
    static <T> Verdict<T> judge(StepObserver observer, LongSupplier nanoTime, Ceremony<T> ceremony) {
        var steps = new StepRunner(observer, nanoTime);
        try {
            T value = ceremony.run(steps);
            return steps.refusal == null ? new Verdict.Accepted<>(value) : new Verdict.Refused<>(steps.refusal);
        } catch (RefusedException e) {
            return new Verdict.Refused<>(e.refusal);
        }
    }

    /** The step passes if the condition holds. The texts are computed only if the observer gets them. */
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

    /** The step is refused, and the ceremony cannot go on. */
    RefusedException refuse(Step step, String expected, String found) {
        StepResult result = report(step, false, expected, found);
        refusal = refusal == null ? result : refusal;
        return new RefusedException(refusal);
    }

    /** The step passes if there is a value, without which the ceremony cannot go on. */
    <T> T present(Step step, @Nullable T value, Supplier<String> expected, Supplier<String> found)
            throws RefusedException {
        if (value == null) {
            throw refuse(step, expected.get(), found.get());
        }
        check(step, true, expected, found);
        return value;
    }

    /** The step passes if the bytes can be parsed. */
    <T> T read(Step step, Reading<T> reading) throws RefusedException {
        T value = readPart(step, reading);
        report(step, true, "", "");
        return value;
    }

    /** The step is refused if the bytes cannot be parsed; otherwise another part of it follows. */
    <T> T readPart(Step step, Reading<T> reading) throws RefusedException {
        try {
            return reading.read();
        } catch (MalformedException e) {
            throw refuse(step, "", String.valueOf(e.getMessage()));
        }
    }

    /** Fetches a value from elsewhere, which is part of no step's time. */
    <T extends @Nullable Object> T fetch(Supplier<T> source) {
        T value = source.get();
        mark = nanoTime.getAsLong();
        return value;
    }

    /** Verifies a signature, which takes longer than all other steps together, and reports how long. */
    boolean verify(BooleanSupplier signature) {
        long start = nanoTime.getAsLong();
        boolean valid = signature.getAsBoolean();
        observer.signatureVerified(nanoTime.getAsLong() - start);
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
