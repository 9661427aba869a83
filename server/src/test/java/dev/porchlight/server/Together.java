// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs operations concurrently. */
public final class Together {
    private Together() {}

    /** The results of the operations, in their order. */
    public static <T> List<T> run(List<Callable<T>> acts) throws Exception {
        var threads = Executors.newFixedThreadPool(acts.size());
        var start = new CyclicBarrier(acts.size());
        try {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> act : acts) {
                running.add(threads.submit(() -> {
                    start.await();
                    return act.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs the same operation many times. */
    public static <T> List<T> times(int times, Callable<T> act) throws Exception {
        List<Callable<T>> acts = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            acts.add(act);
        }
        return run(acts);
    }
}
