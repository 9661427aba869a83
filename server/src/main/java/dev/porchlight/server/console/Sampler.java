// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.console;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.metrics.PoolState;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Looks at the service every few seconds and remembers what it saw for more than an hour, in bounded memory: samples as the
 * JSON they are sent as, a fixed number of them, each of bounded size. Thread-safe.
 */
public final class Sampler implements AutoCloseable {
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** Of {@link #INTERVAL}, an hour and a bit. */
    static final int KEPT = 750;

    private final Snapshot snapshot;
    private final Duration interval;
    private final Consumer<String> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<byte[]> samples = new ArrayDeque<>(KEPT);
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-console");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * A sampler that has not begun.
     *
     * @param listener is given every sample as it is taken, as JSON
     */
    public Sampler(
            Observability observe,
            Supplier<PoolState> pool,
            CeremonyHistory history,
            InstantSource clock,
            Duration interval,
            Consumer<String> listener) {
        this.snapshot = new Snapshot(observe, pool, history, clock);
        this.interval = interval;
        this.listener = listener;
    }

    /** Takes the first sample now, and then one per interval. */
    public Sampler start() {
        var unused = scheduler.scheduleAtFixedRate(this::sampleSafely, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
        return this;
    }

    /** Everything remembered, oldest first, as JSON. */
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

    /** Takes a sample. Only one thread at a time does. */
    void sample() {
        String json = snapshot.take();
        lock.lock();
        try {
            if (samples.size() == KEPT) {
                samples.removeFirst();
            }
            samples.addLast(bytes(json));
        } finally {
            lock.unlock();
        }
        listener.accept(json);
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }

    /** One sample that fails must not be the last. */
    private void sampleSafely() {
        try {
            sample();
        } catch (RuntimeException e) {
            snapshot.complain(e);
        }
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
