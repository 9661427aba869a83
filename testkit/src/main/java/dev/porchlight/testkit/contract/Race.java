// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the same action on several threads at the same time, repeatedly.
 *
 * <p>The threads park until all have started, and then spin until all are awake: parked threads wake one after the other, so the
 * first would finish before the second begins. Spinning from the start would starve the threads that are still starting.
 */
final class Race implements AutoCloseable {
    private final int runners;
    private final ExecutorService threads;

    Race(int runners) {
        this.runners = runners;
        this.threads = Executors.newFixedThreadPool(runners);
    }

    /** Returns the number of runners whose action returned true. An exception of a runner fails the race. */
    @SuppressWarnings("ThreadPriorityCheck") // spins until all are awake, see above
    long run(Callable<Boolean> action) {
        CountDownLatch arrived = new CountDownLatch(runners);
        AtomicInteger asleep = new AtomicInteger(runners);
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < runners; i++) {
            results.add(threads.submit(() -> {
                arrived.countDown();
                arrived.await();
                asleep.decrementAndGet();
                while (asleep.get() > 0) {
                    Thread.yield();
                }
                return action.call();
            }));
        }
        try {
            long winners = 0;
            for (Future<Boolean> result : results) {
                winners += result.get() ? 1 : 0;
            }
            return winners;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError("a runner failed", e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
