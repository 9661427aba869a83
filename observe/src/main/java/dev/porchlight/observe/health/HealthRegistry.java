// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a service, and its answers to liveness and readiness probes.
 *
 * <p>Checks run when a probe asks, in parallel, each on a daemon thread of its own and under its own deadline. An answer
 * is reused for a second, so that probes cannot load what they look at. A check that outlives its deadline is interrupted
 * and reported down; it is not started again until it has returned, so a hung check holds one thread and never two.
 *
 * <p>Safe for use by many threads.
 */
public final class HealthRegistry implements AutoCloseable {
    private static final int MAX_CHECKS = 100;
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final List<RegisteredCheck> checks = new CopyOnWriteArrayList<>();
    private final ThreadPoolExecutor pool;
    private final LongSupplier nanoTime;
    private final Clock clock;
    private final long startNanos;
    private final long delayNanos;
    private final long ttlNanos;
    private volatile HealthListener listener = new HealthListener() {};
    private volatile boolean draining;

    /** A registry without a start-up delay. */
    public HealthRegistry() {
        this(0);
    }

    /** A registry whose readiness is down for the first {@code startupDelayMs} milliseconds from now. */
    public HealthRegistry(long startupDelayMs) {
        this(startupDelayMs, 1_000, System::nanoTime, Clock.systemUTC());
    }

    /**
     * A registry with its own clocks.
     *
     * @param resultTtlMs how long an answer is reused
     * @param nanoTime measures durations, the start-up delay among them
     * @param clock tells since when a check is stuck
     */
    public HealthRegistry(long startupDelayMs, long resultTtlMs, LongSupplier nanoTime, Clock clock) {
        if (startupDelayMs < 0 || resultTtlMs < 0) {
            throw new IllegalArgumentException("a delay and a time to live cannot be negative");
        }
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.startNanos = nanoTime.getAsLong();
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(startupDelayMs);
        this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(resultTtlMs);
        // Never more threads than checks, because no check runs twice at once; and nothing ever waits in a queue behind
        // a
        // check that hangs.
        this.pool = new ThreadPoolExecutor(
                0, MAX_CHECKS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), HealthRegistry::daemon);
    }

    /** Adds a readiness check with the default deadline. */
    public HealthRegistry register(String name, HealthCheck check) {
        return register(name, check, CheckOptions.readiness());
    }

    /**
     * Adds a check.
     *
     * @throws IllegalArgumentException if the name is blank or taken
     */
    public HealthRegistry register(String name, HealthCheck check, CheckOptions options) {
        Objects.requireNonNull(check, "check");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a check needs a name");
        }
        RegisteredCheck added = new RegisteredCheck(name, check, options, nanoTime, clock);
        synchronized (checks) {
            if (checks.stream().anyMatch(known -> known.name().equals(name))) {
                throw new IllegalArgumentException("there is a check named \"" + name + "\" already");
            }
            if (checks.size() == MAX_CHECKS) {
                throw new IllegalStateException("more than " + MAX_CHECKS + " checks");
            }
            checks.add(added);
        }
        return this;
    }

    /** Sets who hears of runs and changes; there is one listener. */
    public void listen(HealthListener newListener) {
        listener = Objects.requireNonNull(newListener);
    }

    /** Answers a liveness probe. */
    public HealthReport live() {
        return new HealthReport(look(CheckType.LIVENESS), 0, false);
    }

    /** Answers a readiness probe: down during the start-up delay, while draining, and when a check is down. */
    public HealthReport ready() {
        List<CheckReport> reports = look(CheckType.READINESS);
        return new HealthReport(reports, remainingMs(), draining);
    }

    /** Makes readiness down for good, so that no new requests are sent here. */
    public void drain() {
        draining = true;
    }

    /** What is left of the start-up delay, rounded up; 0 when it is over. */
    public long remainingMs() {
        long left = delayNanos - (nanoTime.getAsLong() - startNanos);
        return left <= 0 ? 0 : (left + 999_999) / 1_000_000;
    }

    /** Interrupts what is running and starts nothing any more. */
    @Override
    public void close() {
        pool.shutdownNow();
    }

    private List<CheckReport> look(CheckType type) {
        List<CheckRun> runs = new ArrayList<>();
        for (RegisteredCheck check : checks) {
            if (check.type() == type) {
                runs.add(check.run(pool, ttlNanos));
            }
        }
        List<CheckReport> reports = new ArrayList<>(runs.size());
        for (CheckRun run : runs) {
            CheckReport report = run.await();
            tell(run, report);
            reports.add(report);
        }
        return reports;
    }

    private void tell(CheckRun run, CheckReport report) {
        try {
            if (run.firstReport()) {
                listener.checked(report);
            }
            if (run.of.changedTo(report.status())) {
                listener.changed(report);
            }
        } catch (RuntimeException ignored) {
            // A listener's fault is not the probe's.
        }
    }

    private static Thread daemon(@Nullable Runnable work) {
        Thread thread = new Thread(work, "porchlight-health-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
