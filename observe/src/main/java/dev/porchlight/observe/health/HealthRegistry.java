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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a service, and its responses to liveness and readiness probes. Thread-safe.
 *
 * <p>Checks run when a probe arrives, in parallel, each on its own daemon thread and with its own deadline. A result is
 * cached for a second, so that probes cannot overload the dependencies they check. A check that exceeds its deadline is
 * interrupted and reported down; it is not started again until it has returned, so a hung check occupies only one
 * thread.
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

    /** Creates a registry without a start-up delay. */
    public HealthRegistry() {
        this(0);
    }

    /** Creates a registry whose readiness is down for the first {@code startupDelayMs} milliseconds. */
    public HealthRegistry(long startupDelayMs) {
        this(startupDelayMs, 1_000, System::nanoTime, Clock.systemUTC());
    }

    /**
     * Creates a registry with its own clocks.
     *
     * @param resultTtlMs how long a result is cached
     * @param nanoTime measures durations, including the start-up delay
     * @param clock provides the time reported for a stuck check
     */
    public HealthRegistry(long startupDelayMs, long resultTtlMs, LongSupplier nanoTime, Clock clock) {
        if (startupDelayMs < 0 || resultTtlMs < 0) {
            throw new IllegalArgumentException("a delay and a time to live cannot be negative");
        }
        this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.startNanos = nanoTime.getAsLong();
        this.delayNanos = TimeUnit.MILLISECONDS.toNanos(startupDelayMs);
        this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(resultTtlMs);
        // No check runs twice at once, so there are never more threads than checks, and none waits behind a hung one.
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
     * @throws NullPointerException if an argument is null
     */
    public HealthRegistry register(String name, HealthCheck check, CheckOptions options) {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(options, "options");
        if (Objects.requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("a check needs a name");
        }
        RegisteredCheck added = new RegisteredCheck(name, check, options, nanoTime, clock);
        synchronized (checks) {
            if (checks.stream().anyMatch(known -> known.name.equals(name))) {
                throw new IllegalArgumentException("a check named \"" + name + "\" is already registered");
            }
            if (checks.size() == MAX_CHECKS) {
                throw new IllegalStateException("more than " + MAX_CHECKS + " checks");
            }
            checks.add(added);
        }
        return this;
    }

    /** Sets the only listener for runs and changes. */
    public void listen(HealthListener newListener) {
        listener = Objects.requireNonNull(newListener, "newListener");
    }

    /** Returns the response to a liveness probe. */
    public HealthReport live() {
        return new HealthReport(runChecks(type -> type == CheckType.LIVENESS), 0, false);
    }

    /**
     * Returns the response to a readiness probe: down during the start-up delay, while draining, and when a check that
     * is not optional is down.
     */
    public HealthReport ready() {
        List<CheckReport> reports = runChecks(type -> type != CheckType.LIVENESS);
        return new HealthReport(reports, remainingMs(), draining);
    }

    /** Turns readiness down permanently, so that load balancers send no new requests. */
    public void drain() {
        draining = true;
    }

    /** Returns the rest of the start-up delay, rounded up; 0 when it is over. */
    public long remainingMs() {
        long left = delayNanos - (nanoTime.getAsLong() - startNanos);
        return left <= 0 ? 0 : (left + 999_999) / 1_000_000;
    }

    /** Interrupts running checks and starts no new ones. */
    @Override
    public void close() {
        pool.shutdownNow();
    }

    private List<CheckReport> runChecks(Predicate<CheckType> types) {
        Map<RegisteredCheck, RegisteredCheck.Run> runs = new LinkedHashMap<>();
        for (RegisteredCheck check : checks) {
            if (types.test(check.options.type())) {
                runs.put(check, check.run(pool, ttlNanos));
            }
        }
        List<CheckReport> reports = new ArrayList<>(runs.size());
        runs.forEach((check, run) -> {
            CheckReport report = run.await();
            if (!Thread.currentThread().isInterrupted()) { // an interrupted probe says nothing about the check
                notifyListener(check, run, report);
            }
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
            // A failing listener must not fail the probe.
        }
    }

    private static Thread daemon(@Nullable Runnable work) {
        Thread thread = new Thread(work, "porchlight-health-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
