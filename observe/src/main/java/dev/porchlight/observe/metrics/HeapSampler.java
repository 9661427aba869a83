// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Samples the used heap in the background, on a daemon thread, until closed. Thread-safe. */
final class HeapSampler implements AutoCloseable {
    static final Duration INTERVAL = Duration.ofSeconds(5);

    private final LongSupplier usedHeap;
    private final Duration interval;
    private final ScheduledExecutorService scheduler;
    private volatile long latest;

    HeapSampler() {
        this(HeapSampler::usedHeap, INTERVAL);
    }

    HeapSampler(LongSupplier usedHeap, Duration interval) {
        this.usedHeap = usedHeap;
        this.interval = interval;
        this.scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "observe-heap-sampler");
            thread.setDaemon(true);
            return thread;
        });
    }

    HeapSampler start() {
        sample();
        var unused = scheduler.scheduleAtFixedRate(
                this::sample, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
        return this;
    }

    private void sample() {
        latest = usedHeap.getAsLong();
    }

    long latest() {
        return latest;
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }

    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
