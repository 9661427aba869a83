// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that start the same act at the same moment, round after round. */
final class Race implements AutoCloseable {
    private final int runners;
    private final ExecutorService threads;
    private final CyclicBarrier start;

    Race(int runners) {
        this.runners = runners;
        this.threads = Executors.newFixedThreadPool(runners);
        this.start = new CyclicBarrier(runners);
    }

    /** How many of the runners won; a runner's exception ends the race with it. */
    long run(Callable<Boolean> act) {
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < runners; i++) {
            results.add(threads.submit(() -> {
                await();
                return act.call();
            }));
        }
        long winners = 0;
        for (Future<Boolean> result : results) {
            winners += outcome(result) ? 1 : 0;
        }
        return winners;
    }

    private void await() throws InterruptedException {
        try {
            start.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean outcome(Future<Boolean> result) {
        try {
            return result.get();
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
