// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Runs work on several threads. */
public final class Parallel {
    private Parallel() {}

    /** Work on one item. */
    @FunctionalInterface
    public interface Work<I, O> {
        O on(I item) throws Exception;
    }

    /**
     * Processes all items concurrently, each on its own thread, and returns the results in the order of the items.
     *
     * @throws IOException if the work on an item failed
     */
    public static <I, O> List<O> map(List<I> items, Work<? super I, O> work) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(items.size());
        try {
            List<Callable<O>> calls = new ArrayList<>();
            items.forEach(item -> calls.add(() -> work.on(item)));
            List<O> results = new ArrayList<>();
            for (Future<O> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IOException("the work on an item failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** The numbers of the workers, from 0. */
    public static List<Integer> workers(int count) {
        return Stream.iterate(0, i -> i + 1).limit(count).toList();
    }
}
