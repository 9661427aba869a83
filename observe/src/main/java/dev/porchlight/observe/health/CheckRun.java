// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One run of one check, from its start until its thread really ends. Several probes may wait for the same run; at the
 * deadline they all stop waiting and the run is interrupted, yet it counts as running until it has returned.
 */
final class CheckRun implements Runnable {
    final RegisteredCheck of;
    private final Instant startedAt;
    private final long startNanos;
    private final AtomicBoolean reported = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable CheckReport outcome;
    private volatile long endNanos;
    private @Nullable Thread runner;
    private boolean abandoned;

    CheckRun(RegisteredCheck of, long startNanos, Instant startedAt) {
        this.of = of;
        this.startNanos = startNanos;
        this.startedAt = startedAt;
    }

    @Override
    public void run() {
        CheckResult result;
        try {
            result = enter() ? call() : CheckResult.down(overdue());
        } finally {
            leave();
        }
        // A late answer is no answer: whoever asked has been told "down" already.
        end(of.nanoTime() - startNanos > of.timeoutNanos() ? CheckResult.down(overdue()) : result);
    }

    /** Whether the check has returned, and did so at least {@code ttlNanos} ago. */
    boolean outdated(long nowNanos, long ttlNanos) {
        return ended.getCount() == 0 && nowNanos - endNanos >= ttlNanos;
    }

    /** Waits for the outcome until the deadline, then interrupts the check and gives it up. */
    CheckReport await() {
        long elapsed = of.nanoTime() - startNanos;
        boolean wasOverdue = elapsed >= of.timeoutNanos();
        try {
            if (!ended.await(of.timeoutNanos() - elapsed, TimeUnit.NANOSECONDS)) {
                abandon();
                String error = wasOverdue ? "stuck since " + startedAt : overdue();
                return of.report(CheckResult.down(error), of.nanoTime() - startNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return of.report(CheckResult.down("the probe was interrupted"), of.nanoTime() - startNanos);
        }
        return Objects.requireNonNull(outcome);
    }

    /** Ends a run for which no thread could be had. */
    void refuse(Throwable cause) {
        end(CheckResult.down("not started: " + describe(cause)));
    }

    /** True for the first who asks, so that a run is reported to the listener once. */
    boolean firstReport() {
        return reported.compareAndSet(false, true);
    }

    private void end(CheckResult result) {
        long now = of.nanoTime();
        outcome = of.report(result, now - startNanos);
        endNanos = now;
        ended.countDown();
    }

    private CheckResult call() {
        try {
            CheckResult result = of.check().check();
            return result != null ? result : CheckResult.down("the check returned nothing");
        } catch (Throwable anything) { // a check that overflows the stack or misses a class is down as well
            return CheckResult.down(describe(anything));
        }
    }

    private static String describe(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException broken) {
            return thrown.getClass().getName();
        }
    }

    private String overdue() {
        return "no answer within " + of.timeoutMs() + " ms";
    }

    /** False when the deadline passed before a thread was found. */
    private synchronized boolean enter() {
        runner = Thread.currentThread();
        return !abandoned;
    }

    /** After this no interrupt can hit the thread, which belongs to somebody else from now on. */
    private synchronized void leave() {
        runner = null;
        Thread.interrupted();
    }

    private synchronized void abandon() {
        if (!abandoned && runner != null) {
            runner.interrupt();
        }
        abandoned = true;
    }
}
