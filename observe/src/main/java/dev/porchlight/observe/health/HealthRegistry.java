// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.health;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a service, and its responses to liveness and readiness probes. Thread-safe.
 *
 * <p>Checks run when a probe asks, in parallel, each on a daemon thread of its own and under its own deadline. A result
 * is reused for a second, so that probes cannot overload what they check. A check that exceeds its deadline is interrupted
 * and reported down; it is not started again until it has returned, so a hung check holds one thread and never two.
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
     * @param clock used to report since when a check is stuck
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
        // No check runs twice at once, so there are never more threads than checks, and none waits behind one that
        // hangs.
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
            if (checks.stream().anyMatch(known -> known.name.equals(name))) {
                throw new IllegalArgumentException("there is a check named \"" + name + "\" already");
            }
            if (checks.size() == MAX_CHECKS) {
                throw new IllegalStateException("more than " + MAX_CHECKS + " checks");
            }
            checks.add(added);
        }
        return this;
    }

    /** Sets the listener for runs and changes; there is one. */
    public void listen(HealthListener newListener) {
        listener = Objects.requireNonNull(newListener);
    }

    /** The response to a liveness probe. */
    public HealthReport live() {
        return new HealthReport(look(CheckType.LIVENESS), 0, false);
    }

    /** The response to a readiness probe: down during the start-up delay, while draining, and when a check is down. */
    public HealthReport ready() {
        List<CheckReport> reports = look(CheckType.READINESS);
        return new HealthReport(reports, remainingMs(), draining);
    }

    /** Makes readiness down for good, so that no new requests are sent here. */
    public void drain() {
        draining = true;
    }

    /** The rest of the start-up delay, rounded up; 0 when it is over. */
    public long remainingMs() {
        long left = delayNanos - (nanoTime.getAsLong() - startNanos);
        return left <= 0 ? 0 : (left + 999_999) / 1_000_000;
    }

    /** Interrupts running checks and starts no more. */
    @Override
    public void close() {
        pool.shutdownNow();
    }

    private List<CheckReport> look(CheckType type) {
        Map<RegisteredCheck, RegisteredCheck.Run> runs = new LinkedHashMap<>();
        for (RegisteredCheck check : checks) {
            if (check.options.type() == type) {
                runs.put(check, check.run(pool, ttlNanos));
            }
        }
        List<CheckReport> reports = new ArrayList<>(runs.size());
        runs.forEach((check, run) -> {
            CheckReport report = run.await();
            notifyListener(check, run, report);
            reports.add(report);
        });
        return reports;
    }

    private void notifyListener(RegisteredCheck check, RegisteredCheck.Run run, CheckReport report) {
        try {
            if (run.firstReport()) {
                listener.checked(report);
            }
            if (check.changedTo(report.status())) {
                listener.changed(report);
            }
        } catch (RuntimeException ignored) {
            // A listener's fault must not fail the probe.
        }
    }

    private static Thread daemon(@Nullable Runnable work) {
        Thread thread = new Thread(work, "porchlight-health-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
