// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Workers that repeat their tasks until stopped. Thread-safe. */
public final class Loop implements AutoCloseable {
    private static final long AFTER_FAILURE = Duration.ofMillis(5).toNanos();

    private final List<Thread> threads = new ArrayList<>();
    private final List<Outcome.Samples> seen = new ArrayList<>();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private final AtomicLong tickets = new AtomicLong();
    private final double nanosBetween;
    private final long zero = System.nanoTime();
    private volatile boolean stopping;

    private Loop(double nanosBetween, int workers, IntFunction<Task> tasks) {
        this.nanosBetween = nanosBetween;
        for (int i = 0; i < workers; i++) {
            Outcome.Samples samples = new Outcome.Samples();
            Task task = tasks.apply(i);
            Thread thread = new Thread(() -> work(task, samples), "load-" + i);
            thread.setDaemon(true);
            seen.add(samples);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /**
     * Starts a loop whose workers start the next task when the previous one ends: maximum throughput. Its latencies hide stalls,
     * during which it sends nothing; use {@link #open} to measure those.
     */
    public static Loop closed(int workers, IntFunction<Task> tasks) {
        return new Loop(0, workers, tasks);
    }

    /**
     * Starts a loop that starts tasks at a fixed rate, independent of earlier results. Latency counts from a task's scheduled
     * start, so waiting for a free worker is included.
     *
     * @param workers the maximum number of concurrent tasks
     */
    public static Loop open(double perSecond, int workers, IntFunction<Task> tasks) {
        return new Loop(1e9 / perSecond, workers, tasks);
    }

    /** Nanoseconds since the loop started, to mark the times of a fault in the {@link Outcome}. */
    public long now() {
        return System.nanoTime() - zero;
    }

    /** This many more tasks have succeeded since the call. */
    public Event successes(int more) {
        return grown(succeeded, more);
    }

    /** This many more tasks were refused with 503 since the call. */
    public Event refusals(int more) {
        return grown(unavailable, more);
    }

    private static Event grown(LongAdder count, int more) {
        long enough = count.sum() + more;
        return () -> count.sum() >= enough;
    }

    /** Runs for a duration, then stops. */
    public Outcome runFor(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
        return stop();
    }

    /** Stops starting tasks, waits for running ones, and returns the outcome. */
    public Outcome stop() throws InterruptedException {
        stopping = true;
        Duration length = Duration.ofNanos(now());
        for (Thread thread : threads) {
            thread.join();
        }
        return Outcome.of(seen, length);
    }

    @Override
    public void close() {
        stopping = true;
    }

    /** Waits for the next task's start time and returns it. */
    private long next() {
        if (nanosBetween == 0) {
            return now();
        }
        long time = (long) (tickets.getAndIncrement() * nanosBetween);
        for (long left = time - now(); left > 0 && !stopping; left = time - now()) {
            LockSupport.parkNanos(Math.min(left, 50_000_000));
        }
        return time;
    }

    private void work(Task task, Outcome.Samples samples) {
        try (task) {
            for (long begin = next(); !stopping; begin = next()) {
                long wait = now() - begin;
                try {
                    int status = task.run();
                    samples.add(begin, wait, now() - begin, status);
                    if (status / 100 == 2) {
                        succeeded.increment();
                    } else if (status == 503) {
                        unavailable.increment();
                    }
                } catch (IOException | UncheckedIOException | AssertionError e) {
                    samples.fail(begin, wait, now() - begin, e);
                    LockSupport.parkNanos(AFTER_FAILURE);
                }
            }
        }
    }
}
