// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks for deadlocked threads in the background, since every look stops all threads for a moment. Thread-safe. */
public final class DeadlockWatch implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-deadlock-watch");
        thread.setDaemon(true);
        return thread;
    });
    private volatile List<String> deadlocked = List.of();

    /** Begins to look every ten seconds. */
    public void start() {
        start(INTERVAL);
    }

    void start(Duration interval) {
        long millis = interval.toMillis();
        var unused = clock.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** The names of the threads that the last look found waiting for each other. */
    public List<String> deadlocked() {
        return deadlocked;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }

    private void look() {
        try {
            deadlocked = find();
        } catch (RuntimeException e) { // which would end the schedule
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private List<String> find() {
        long[] ids = threads.findDeadlockedThreads();
        return ids == null
                ? List.of()
                : Arrays.stream(threads.getThreadInfo(ids))
                        .filter(Objects::nonNull)
                        .map(ThreadInfo::getThreadName)
                        .toList();
    }
}
