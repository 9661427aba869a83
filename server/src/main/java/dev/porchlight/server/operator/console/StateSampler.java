// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.console;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.metrics.PoolState;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Samples the state of the service and keeps slightly more than an hour of samples. Memory is bounded: a fixed number of
 * samples, each as JSON of bounded size. Thread-safe.
 */
public final class StateSampler implements Runnable {
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The number of samples to keep: slightly more than an hour of {@link #INTERVAL}. */
    static final int MAX_SAMPLES = 750;

    private final Snapshot snapshot;
    private final Duration interval;
    private final Consumer<String> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<byte[]> samples = new ArrayDeque<>(MAX_SAMPLES);

    /**
     * Creates a sampler, which must be run once per interval.
     *
     * @param revision changes with each event of a ceremony
     * @param listener receives every new sample as JSON
     */
    public StateSampler(
            Observability observe,
            Supplier<PoolState> pool,
            LongSupplier revision,
            InstantSource clock,
            Duration interval,
            Consumer<String> listener) {
        this.snapshot = new Snapshot(observe, pool, revision, clock);
        this.interval = interval;
        this.listener = listener;
    }

    /** Returns all samples as JSON, oldest first. */
    public byte[] history() {
        List<byte[]> all;
        lock.lock();
        try {
            all = new ArrayList<>(samples);
        } finally {
            lock.unlock();
        }
        byte[] head = bytes("{\"intervalMs\":" + interval.toMillis() + ",\"samples\":[");
        byte[] tail = bytes("]}");
        int size = head.length + tail.length + all.size();
        for (byte[] sample : all) {
            size += sample.length;
        }
        var json = new ByteArrayOutputStream(size);
        json.writeBytes(head);
        for (int i = 0; i < all.size(); i++) {
            if (i > 0) {
                json.write(',');
            }
            json.writeBytes(all.get(i));
        }
        json.writeBytes(tail);
        return json.toByteArray();
    }

    /** Takes a sample. Must not be called concurrently. */
    void sample() {
        String json = snapshot.take();
        lock.lock();
        try {
            if (samples.size() == MAX_SAMPLES) {
                samples.removeFirst();
            }
            samples.addLast(bytes(json));
        } finally {
            lock.unlock();
        }
        listener.accept(json);
    }

    /** Takes a sample, and logs a failure. */
    @Override
    public void run() {
        try {
            sample();
        } catch (RuntimeException e) {
            snapshot.logFailure(e);
        }
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
