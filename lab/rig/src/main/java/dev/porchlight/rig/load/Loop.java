// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Workers that repeat their tasks until stopped. Thread-safe. */
public abstract sealed class Loop implements AutoCloseable permits ClosedLoop, OpenLoop {
    private static final long AFTER_FAILURE = Duration.ofMillis(5).toNanos();

    private final List<Thread> threads = new ArrayList<>();
    private final List<Samples> seen = new ArrayList<>();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder unavailable = new LongAdder();
    private final long zero = System.nanoTime();
    private volatile boolean stopping;

    Loop() {}

    final void begin(int workers, IntFunction<Task> tasks) {
        for (int i = 0; i < workers; i++) {
            Samples samples = new Samples();
            Task task = tasks.apply(i);
            Thread thread = new Thread(() -> work(task, samples), "load-" + i);
            thread.setDaemon(true);
            seen.add(samples);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /** Nanoseconds since the loop started, to mark the times of a fault in the {@link Outcome}. */
    public final long now() {
        return System.nanoTime() - zero;
    }

    /** This many more tasks have succeeded since the call. */
    public final Event successes(int more) {
        return grown(succeeded, more);
    }

    /** This many more tasks were refused with 503 since the call. */
    public final Event refusals(int more) {
        return grown(unavailable, more);
    }

    private static Event grown(LongAdder count, int more) {
        long enough = count.sum() + more;
        return () -> count.sum() >= enough;
    }

    /** Runs for a duration, then stops. */
    public final Outcome runFor(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
        return stop();
    }

    /** Stops starting tasks, waits for running ones, and returns the outcome. */
    public final Outcome stop() throws InterruptedException {
        stopping = true;
        Duration length = Duration.ofNanos(now());
        for (Thread thread : threads) {
            thread.join();
        }
        return Outcome.of(seen, length);
    }

    @Override
    public final void close() {
        stopping = true;
    }

    /** Waits for the next task's start time and returns it; negative to stop. */
    abstract long next();

    final boolean stopping() {
        return stopping;
    }

    final boolean sleepUntil(long time) {
        for (long left = time - now(); left > 0 && !stopping; left = time - now()) {
            LockSupport.parkNanos(Math.min(left, 50_000_000));
        }
        return !stopping;
    }

    private void work(Task task, Samples samples) {
        try (task) {
            for (long begin = next(); begin >= 0 && !stopping; begin = next()) {
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
