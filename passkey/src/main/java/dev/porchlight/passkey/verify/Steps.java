// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.MalformedException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Walks through one procedure: each requirement passes and is told to the observer, or ends it. */
final class Steps {
    /** A procedure; it returns when all its steps have passed. */
    @FunctionalInterface
    interface Procedure<T> {
        T follow(Steps steps) throws RefusedException;
    }

    /** Something that is read from bytes. */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws MalformedException;
    }

    private final StepObserver observer;
    private final LongSupplier nanoTime;
    private long mark;

    private Steps(StepObserver observer, LongSupplier nanoTime) {
        this.observer = observer;
        this.nanoTime = nanoTime;
        this.mark = nanoTime.getAsLong();
    }

    static <T> Verdict<T> judge(StepObserver observer, LongSupplier nanoTime, Procedure<T> procedure) {
        try {
            return new Verdict.Accepted<>(procedure.follow(new Steps(observer, nanoTime)));
        } catch (RefusedException e) {
            return e.verdict();
        }
    }

    /** The step passes if the condition holds. */
    void require(Step step, boolean condition, String otherwise) throws RefusedException {
        require(step, condition ? null : otherwise);
    }

    /** The step passes if there is no fault. */
    void require(Step step, @Nullable String fault) throws RefusedException {
        if (fault != null) {
            throw new RefusedException(step, fault);
        }
        passed(step);
    }

    /** The step passes if there is a value. */
    <T> T present(Step step, @Nullable T value, String otherwise) throws RefusedException {
        if (value == null) {
            throw new RefusedException(step, otherwise);
        }
        passed(step);
        return value;
    }

    /** The step passes if the bytes can be read. */
    <T> T read(Step step, Reading<T> reading) throws RefusedException {
        T value = readPart(step, reading);
        passed(step);
        return value;
    }

    /** The step goes on if the bytes can be read. */
    <T> T readPart(Step step, Reading<T> reading) throws RefusedException {
        try {
            return reading.read();
        } catch (MalformedException e) {
            throw new RefusedException(step, String.valueOf(e.getMessage()));
        }
    }

    /** Verifies a signature, which takes longer than all else together, and tells how long. */
    boolean verifying(Supplier<Boolean> signature) {
        long begun = nanoTime.getAsLong();
        boolean valid = signature.get();
        observer.signatureVerified(nanoTime.getAsLong() - begun);
        return valid;
    }

    void passed(Step step) {
        long now = nanoTime.getAsLong();
        observer.passed(step, now - mark);
        mark = now;
    }
}
