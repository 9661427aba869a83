// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs a task periodically on a daemon thread. A run that fails does not end the schedule. Thread-safe. */
public final class PeriodicTask implements Part {
    private final ScheduledExecutorService scheduler;
    private final Duration interval;
    private final Runnable first;
    private final Runnable task;

    /** Creates a task that first runs one interval after the start. */
    public PeriodicTask(String threadName, Duration interval, Runnable task) {
        this(threadName, interval, () -> {}, task);
    }

    /** Creates a task that first runs one interval after the start; {@code first} runs once, at the start. */
    public PeriodicTask(String threadName, Duration interval, Runnable first, Runnable task) {
        this.interval = interval;
        this.first = first;
        this.task = task;
        scheduler = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, threadName);
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void start() {
        scheduler.execute(() -> run(first));
        long nanos = interval.toNanos();
        var unused = scheduler.scheduleWithFixedDelay(() -> run(task), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private static void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) { // it would end the schedule
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
