// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.support.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the same action on several threads at the same time, repeatedly. The threads park until all have started, and then
 * spin until all are awake, because parked threads wake one after the other.
 */
public final class Race implements AutoCloseable {
    private final int runners;
    private final ExecutorService threads;

    public Race(int runners) {
        this.runners = runners;
        this.threads = Executors.newFixedThreadPool(runners);
    }

    /** Returns the results of all threads. */
    @SuppressWarnings("ThreadPriorityCheck") // spins until all are awake, see above
    public <T> List<T> run(Callable<T> task) {
        CyclicBarrier line = new CyclicBarrier(runners);
        AtomicInteger asleep = new AtomicInteger(runners);
        List<Future<T>> running = new ArrayList<>();
        for (int i = 0; i < runners; i++) {
            running.add(threads.submit(() -> {
                line.await(Patience.SECONDS, TimeUnit.SECONDS);
                asleep.decrementAndGet();
                while (asleep.get() > 0) {
                    Thread.yield();
                }
                return task.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> runner : running) {
            try {
                results.add(runner.get(Patience.SECONDS, TimeUnit.SECONDS));
            } catch (Exception e) {
                throw new AssertionError("a runner failed: " + e, e);
            }
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
