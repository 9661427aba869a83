// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A check with its options and its latest run. There is never more than one run under way. */
final class RegisteredCheck {
    private final String name;
    private final HealthCheck check;
    private final CheckOptions options;
    private final LongSupplier nanoTime;
    private final Clock clock;
    private final AtomicReference<@Nullable CheckRun> latest = new AtomicReference<>();
    private final AtomicReference<CheckStatus> known = new AtomicReference<>(CheckStatus.UP);

    RegisteredCheck(String name, HealthCheck check, CheckOptions options, LongSupplier nanoTime, Clock clock) {
        this.name = name;
        this.check = check;
        this.options = options;
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    /** The run to wait for: the latest if it is under way or fresh, otherwise a new one. */
    CheckRun run(Executor executor, long ttlNanos) {
        CheckRun current = latest.get();
        long now = nanoTime();
        if (current != null && !current.outdated(now, ttlNanos)) {
            return current;
        }
        CheckRun next = new CheckRun(this, now, clock.instant());
        CheckRun winner = latest.compareAndExchange(current, next);
        if (winner != current) {
            return winner != null ? winner : next;
        }
        try {
            executor.execute(next);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            next.refuse(noThread);
        }
        return next;
    }

    /** Whether this status differs from the one known before; it is the known one from now on. */
    boolean changedTo(CheckStatus status) {
        return known.getAndSet(status) != status;
    }

    CheckReport report(CheckResult result, long durationNanos) {
        return new CheckReport(name, options.type(), result.status(), durationNanos, result.details());
    }

    String name() {
        return name;
    }

    CheckType type() {
        return options.type();
    }

    HealthCheck check() {
        return check;
    }

    long timeoutMs() {
        return options.timeoutMs();
    }

    long timeoutNanos() {
        return options.timeoutMs() * 1_000_000;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }
}
