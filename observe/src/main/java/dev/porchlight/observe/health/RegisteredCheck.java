// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A check with its options and its latest run. At most one run is in progress. Thread-safe. */
final class RegisteredCheck {
    final String name;
    final CheckOptions options;
    private final HealthCheck check;
    private final LongSupplier nanoTime;
    private final Clock clock;
    private final AtomicReference<@Nullable Run> latest = new AtomicReference<>();
    private final AtomicReference<CheckStatus> known = new AtomicReference<>(CheckStatus.UP);

    RegisteredCheck(String name, HealthCheck check, CheckOptions options, LongSupplier nanoTime, Clock clock) {
        this.name = name;
        this.check = check;
        this.options = options;
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    /** Returns the run to wait for: the latest if it is in progress or fresh, otherwise a new one. */
    Run run(Executor executor, long ttlNanos) {
        Run current = latest.get();
        long now = nanoTime.getAsLong();
        if (current != null && !current.outdated(now, ttlNanos)) {
            return current;
        }
        Run next = new Run(now, clock.instant());
        Run winner = latest.compareAndExchange(current, next);
        if (winner != current) {
            return winner != null ? winner : next;
        }
        try {
            executor.execute(next);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            next.end(CheckResult.down("not started: " + describe(noThread)));
        }
        return next;
    }

    boolean changedTo(CheckStatus status) {
        return known.getAndSet(status) != status;
    }

    private static String describe(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException broken) {
            return thrown.getClass().getName();
        }
    }

    /**
     * One run of the check. Several probes may wait for the same run. At the deadline they stop waiting and the run is
     * interrupted, but it counts as running until the check has returned.
     */
    final class Run implements Runnable {
        private final Instant startedAt;
        private final long startNanos;
        private final long timeoutNanos = options.timeoutMs() * 1_000_000;
        private final AtomicBoolean reported = new AtomicBoolean();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable CheckReport outcome;
        private volatile long endNanos;
        private @Nullable Thread runner;
        private boolean abandoned;

        private Run(long startNanos, Instant startedAt) {
            this.startNanos = startNanos;
            this.startedAt = startedAt;
        }

        @Override
        public void run() {
            CheckResult result;
            try {
                result = enter() ? call() : overdue();
            } finally {
                leave();
            }
            // A late result is ignored: the probes have already reported "down".
            end(elapsed() > timeoutNanos ? overdue() : result);
        }

        /** Waits for the result until the deadline, then interrupts and abandons the check. */
        CheckReport await() {
            long elapsed = elapsed();
            try {
                if (!ended.await(timeoutNanos - elapsed, TimeUnit.NANOSECONDS)) {
                    abandon();
                    return report(elapsed >= timeoutNanos ? CheckResult.down("stuck since " + startedAt) : overdue());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return report(CheckResult.down("the probe was interrupted"));
            }
            return Objects.requireNonNull(outcome);
        }

        /** Returns true for the first caller only, so that a run is reported to the listener once. */
        boolean firstReport() {
            return reported.compareAndSet(false, true);
        }

        private boolean outdated(long nowNanos, long ttlNanos) {
            return ended.getCount() == 0 && nowNanos - endNanos >= ttlNanos;
        }

        private void end(CheckResult result) {
            outcome = report(result);
            endNanos = nanoTime.getAsLong();
            ended.countDown();
        }

        private CheckResult call() {
            try {
                CheckResult result = check.check();
                return result != null ? result : CheckResult.down("the check returned nothing");
            } catch (Throwable anything) { // including errors such as a stack overflow or a missing class
                return CheckResult.down(describe(anything));
            }
        }

        private CheckReport report(CheckResult result) {
            return new CheckReport(name, options.type(), result.status(), elapsed(), result.details());
        }

        private CheckResult overdue() {
            return CheckResult.down("no response within " + options.timeoutMs() + " ms");
        }

        private long elapsed() {
            return nanoTime.getAsLong() - startNanos;
        }

        /** Returns false if the deadline passed before the run got a thread. */
        private synchronized boolean enter() {
            runner = Thread.currentThread();
            return !abandoned;
        }

        /** Afterwards no interrupt can reach the thread, which returns to the pool. */
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
}
