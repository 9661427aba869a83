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
 * Threads that start the same act at the same moment, round after round.
 *
 * <p>They are parked until the last of them has arrived, and then wait for each other running: threads that must be woken
 * first come one after the other, and the race is over before the second has begun. Threads that run from the beginning
 * would take the processor from those that are still to come.
 */
final class Race implements AutoCloseable {
    private final int runners;
    private final ExecutorService threads;

    Race(int runners) {
        this.runners = runners;
        this.threads = Executors.newFixedThreadPool(runners);
    }

    /** How many of the runners won; a runner's exception ends the race with it. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is the point: see above
    long run(Callable<Boolean> act) {
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
                return act.call();
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
